import { answerRead } from "@/lib/console/reads/answer-read";

type Context = { params: Promise<{ read: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answerRead((await params).read, request);
}
