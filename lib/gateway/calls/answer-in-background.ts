import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Caller } from "../access/caller";
import type { BackgroundAnswers } from "../conversations/background-answers";
import type { Exchange } from "../http/exchange";
import { type Dialect, internalError, refusalBody } from "../http/refuse";
import { missingPermission, Refusal } from "../refusal";

interface BackgroundContext {
  readonly backgroundAnswers: BackgroundAnswers;
}

/**
 * Answers a call. If the caller requested it in a header, the call continues when its client disconnects, and its reply
 * is stored.
 * @throws Refusal 403 if the caller may not use the playground.
 */
export function answerInBackground(
  context: BackgroundContext,
  exchange: Exchange,
  caller: Caller,
  dialect: Dialect,
  answer: () => Promise<Response>,
): Promise<Response> {
  const header = exchange.request.headers.get(KEEP_ANSWER_HEADER);
  if (header === null) return answer();
  return answerAndStore(context, exchange, caller, { header, dialect }, answer);
}

async function answerAndStore(
  { backgroundAnswers }: BackgroundContext,
  exchange: Exchange,
  caller: Caller,
  { header, dialect }: { readonly header: string; readonly dialect: Dialect },
  answer: () => Promise<Response>,
): Promise<Response> {
  if (caller.kind === "project_key" || !caller.holdsAnywhere("api.playground.write"))
    throw missingPermission("api.playground.write");
  const background = await backgroundAnswers.begin(header, caller.keyId, exchange.requestId);
  exchange.outliveClient(background.signal);
  try {
    return background.keep(await answer());
  } catch (error) {
    const refusal = error instanceof Refusal ? error : internalError(exchange.requestId);
    const visible = refusal.asSeenBy(caller.permissionsIn);
    background.recordRefusal(
      visible.status,
      JSON.stringify(refusalBody(visible, exchange.requestId, dialect)),
    );
    throw error;
  }
}
