import { answerOutput } from "@/lib/console/reads/forward-file";

export async function GET(request: Request): Promise<Response> {
  return answerOutput(request);
}
