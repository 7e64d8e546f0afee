import { Refusal } from "../ports/refusal";
import { answerPlain } from "./answer-plain";
import { answerStream } from "./answer-stream";
import type { AnswerContext, HeldCall } from "./held-call";
import type { ProviderConnection } from "./provider-connection";
import { fetchReply } from "./provider-reply";

/**
 * Calls the provider and answers with its reply. Once this is called the hold is always resolved: settled before the reply's
 * last byte, settled for the prompt when the client goes before the first, released when the provider fails.
 * @throws Refusal 400, 429, 502, 503 or 504.
 */
export async function answer(context: AnswerContext, call: HeldCall): Promise<Response> {
  const { connection } = call;
  const clientGone = () => connection.cut("client gone");
  if (call.clientSignal.aborted) clientGone();
  else call.clientSignal.addEventListener("abort", clientGone, { once: true });
  try {
    const { requestId, stream } = call.open;
    const body = call.body(connection.model);
    const reply = await fetchReply({ requestId, body, stream }, connection);
    if (stream) return answerStream(reply, call, connection, context);
    return await answerPlain(reply, call, connection);
  } catch (error) {
    connection.close();
    throw await endFailed(context, call, connection, error);
  }
}

async function endFailed(
  { logFault }: AnswerContext,
  { open }: HeldCall,
  { cutoff, isSent }: ProviderConnection,
  error: unknown,
): Promise<unknown> {
  if (open.isEnded) return error;
  const isClientGone = cutoff === "client gone";
  if (isClientGone && isSent) {
    // The provider has read the prompt, and will invoice it.
    const { promptTokens } = open.admission.request;
    const ending = { outcome: "client_gone", status: 499 } as const;
    await open.settle({ promptTokens, completionTokens: 0 }, "estimated", ending).catch(() => {});
  } else {
    const status = isClientGone ? 499 : error instanceof Refusal ? error.status : 500;
    if (error instanceof Refusal && error.cause) logFault(open.requestId, String(error.cause));
    await open.release({ outcome: isSent ? "provider_failed" : "unsent", status }).catch(() => {});
  }
  return error;
}
