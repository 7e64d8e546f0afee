import { answerUpload } from "@/lib/console/actions/answer-upload";

export async function POST(request: Request): Promise<Response> {
  return answerUpload(request);
}
