import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Caller } from "../access/caller";
import { formatEvent } from "../http/event-splitter";
import { type Dialect, internalError, refusalBody } from "../http/refuse";
import type { RequestContext } from "../http/request-context";
import type { BackgroundAnswers } from "../prompts/conversations/background-answers";
import { missingPermission, Refusal } from "../refusal";
import { writeEvent } from "./anthropic/message-blocks";

interface BackgroundAnswerContext {
  readonly backgroundAnswers: BackgroundAnswers;
}

/**
 * Answers a call. If the caller requested it in a header, the call continues when its client disconnects, and its reply
 * is stored.
 * @throws Refusal 403 if the caller may not use the playground.
 */
export function answerInBackground(
  context: BackgroundAnswerContext,
  requestContext: RequestContext,
  caller: Caller,
  dialect: Dialect,
  answer: () => Promise<Response>,
): Promise<Response> {
  const header = requestContext.request.headers.get(KEEP_ANSWER_HEADER);
  if (header === null) return answer();
  return answerAndStore(context, requestContext, caller, { header, dialect }, answer);
}

async function answerAndStore(
  { backgroundAnswers }: BackgroundAnswerContext,
  requestContext: RequestContext,
  caller: Caller,
  { header, dialect }: { readonly header: string; readonly dialect: Dialect },
  answer: () => Promise<Response>,
): Promise<Response> {
  if (caller.kind === "project_key" || !caller.holdsAnywhere("api.playground.write"))
    throw missingPermission("api.playground.write");
  const backgroundAnswer = await backgroundAnswers.begin(header, caller.keyId, requestContext.requestId);
  requestContext.outliveClient(backgroundAnswer.signal);
  try {
    return backgroundAnswer.store(await answer(), writeShutDown(requestContext.requestId, dialect));
  } catch (error) {
    const refusal = error instanceof Refusal ? error : internalError(requestContext.requestId);
    const visible = refusal.asSeenBy(caller.permissionsIn);
    backgroundAnswer.recordRefusal(
      visible.status,
      JSON.stringify(refusalBody(visible, requestContext.requestId, dialect)),
    );
    throw error;
  }
}

/** The event that ends the stream of an answer which the end of the process stops. */
function writeShutDown(requestId: string, dialect: Dialect): string {
  const message =
    "The gateway stopped before the answer's end. What came until then is charged. Send the call again.";
  const body = refusalBody(new Refusal(500, "service_error", "internal_error", message), requestId, dialect);
  return dialect === "anthropic" ? writeEvent("error", body as object) : formatEvent(body).toString();
}
