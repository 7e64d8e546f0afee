import type { Caller } from "../access/caller";
import { findChargedProject } from "../access/find-charged-project";
import { findAllowedModel } from "../completions/find-allowed-model";
import { type PreviewContext, previewCall } from "../completions/preview-call";
import { findPromptCounting } from "../completions/requests/find-prompt-counting";
import type { IncomingCall } from "../completions/requests/incoming-call";
import type { Exchange } from "../http/exchange";
import { respondWithJson } from "../http/known-response";
import { isMediaModel } from "../media/create-task";
import { previewTask } from "../media/preview-task";
import type { CallContext } from "./answer-call";
import { type CallKind, readCall } from "./read-call";
import { type DryRun, findActingCaller } from "./run-as";

export interface PreviewRequestContext extends CallContext, PreviewContext {}

/** A call that is described and not made. */
type DescribedCall = Pick<IncomingCall, "caller" | "projectId" | "request">;

/** Answers with the outcome that a chat completion would have now. @throws Refusal */
export function previewChatCompletion(context: PreviewRequestContext, exchange: Exchange, sender: Caller) {
  return answerAboutRequest(
    context,
    exchange,
    sender,
    ["previewChatCompletion", "chat completion"],
    (call) =>
      isMediaModel(context.catalogue.find(call.request.fields.model))
        ? previewTask(context, call)
        : previewCall(context, call),
  );
}

/** Answers with the tokens of a message's prompt. @throws Refusal */
export function countMessageTokens(context: PreviewRequestContext, exchange: Exchange, sender: Caller) {
  return answerAboutRequest(
    context,
    exchange,
    sender,
    ["countMessageTokens", "message count"],
    async (call) => {
      const { caller, projectId, request } = call;
      const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
      const { promptTokens } = await request.estimate(findPromptCounting(context.directory, model));
      return { input_tokens: promptTokens };
    },
  );
}

/** Answers a question about a request without making the call. */
async function answerAboutRequest(
  context: PreviewRequestContext,
  exchange: Exchange,
  sender: Caller,
  [operationId, form]: readonly [DryRun, CallKind],
  describe: (call: DescribedCall) => Promise<object>,
): Promise<Response> {
  const { requestId } = exchange;
  const { caller } = await findActingCaller(context, exchange, sender, operationId);
  const projectId = findChargedProject(context.projectMirror, caller, exchange.request.headers);
  const request = await readCall(context, exchange, { form, wantsHash: false, keyId: caller.keyId });
  try {
    const headers = { "x-request-id": requestId, "request-id": requestId };
    return respondWithJson(await describe({ caller, projectId, request }), { headers });
  } finally {
    request.release();
  }
}
