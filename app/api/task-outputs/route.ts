import { answerOutput } from "@/lib/console/reads/answer-output";

export async function GET(request: Request): Promise<Response> {
  return answerOutput(request);
}
