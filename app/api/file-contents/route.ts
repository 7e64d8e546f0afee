import { answerFileContent } from "@/lib/console/reads/answer-file-content";

export async function GET(request: Request): Promise<Response> {
  return answerFileContent(request);
}
