import type { ServerReply } from "../../http/outbound/server-reply";
import { explainFailure } from "../../providers/explain-failure";
import { Refusal } from "../../refusal";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { answerBytes } from "./answer-bytes";
import { answerPlain } from "./answer-plain";
import { answerStream } from "./answer-stream";
import { answerTranscript } from "./answer-transcript";
import { fetchReply } from "./fetch-reply";
import { retryCall } from "./retry-call";

/** After a longer wait for the hold, the client may have disconnected in the meantime. */
const LONG_WAIT_MS = 50;

/**
 * Calls the provider and answers with its reply. Once this is called the hold is always resolved: settled before the
 * reply's last byte, settled for the prompt where the client leaves before the first byte, released where the provider
 * fails.
 * @throws Refusal 400, 429, 502, 503 or 504.
 */
export async function answer(context: AnswerContext, call: AdmittedCall): Promise<Response> {
  call.hold.beginAnswer(call);
  if (call.hold.stream || call.elapsedMs > LONG_WAIT_MS) call.stopWithClient();
  try {
    call.incoming.refuseEndedAccess();
    let reply: ServerReply;
    try {
      reply = await fetchReply(call);
    } catch (error) {
      reply = await retryCall(context, call, error);
    }
    return await answerWith(reply, call, context);
  } catch (error) {
    call.connection.close();
    throw explainFailure(await endFailed(context, call, error), call.connection.route);
  }
}

function answerWith(
  reply: ServerReply,
  call: AdmittedCall,
  context: AnswerContext,
): Response | Promise<Response> {
  const { endpoint } = call.incoming.request;
  call.incoming.noteAnswering?.(call.connection.link.baseUrl);
  if (endpoint === "audio/speech") return answerBytes(reply, call, context);
  if (endpoint === "audio/transcriptions" || endpoint === "audio/translations")
    return answerTranscript(reply, call, context);
  return call.hold.stream ? answerStream(reply, call, context) : answerPlain(reply, call, context);
}

async function endFailed(
  { logFault }: AnswerContext,
  { hold, connection }: AdmittedCall,
  error: unknown,
): Promise<unknown> {
  if (hold.isEnded) return error;
  const { cutoff, isSent, wasSentBefore } = connection;
  const isCallersEnd = connection.wasEndedByCaller;
  const callersStatus = cutoff === "access ended" ? 401 : 499;
  if (isCallersEnd && isSent) {
    // The provider has read the prompt and will charge for it.
    const { promptTokens, units } = hold.admission.request;
    const ending = { outcome: "client_gone", status: callersStatus } as const;
    await hold.settle({ promptTokens, completionTokens: 0, units }, "estimated", ending).catch(() => {});
  } else {
    const status = isCallersEnd ? callersStatus : error instanceof Refusal ? error.status : 500;
    if (!isCallersEnd && error instanceof Refusal && error.cause)
      logFault(hold.requestId, String(error.cause));
    const outcome = isSent || wasSentBefore ? "provider_failed" : "unsent";
    await hold.release({ outcome, status }).catch(() => {});
  }
  return error;
}
