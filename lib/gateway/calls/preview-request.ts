import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import { authorizeAgain, findChargedProject } from "../access/authorize";
import type { Caller } from "../access/caller";
import { respondWithJson } from "../http/response";
import type { RequestContext } from "../http/server";
import { isMediaModel } from "../models/catalogue";
import type { CallContext } from "./answer-call";
import { askTokenCount } from "./ask-token-count";
import { findActingCaller, findAllowedModel } from "./call-access";
import { callKinds } from "./call-kinds";
import { previewTask } from "./media/preview-task";
import { type PreviewContext, previewCall } from "./preview-call";
import { type CallReader, type IncomingCall, readJson } from "./requests/incoming-call";
import { findCounting, isCompletion, requireMessages, toOrder } from "./requests/prepared-request";
import { readResponse } from "./requests/read-response";

export interface PreviewRequestContext extends CallContext, PreviewContext {}

/** A call that is described and not made. */
type DescribedCall = Pick<IncomingCall, "caller" | "projectId" | "request">;

const readCountedMessage = readJson("anthropic message count");

/** Answers with the outcome that a chat completion would have now. @throws Refusal */
export function previewChatCompletion(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
) {
  return answerAboutRequest(
    context,
    requestContext,
    sender,
    { operation: operations.previewChatCompletion, read: callKinds["chat completion"].read },
    (call) =>
      !isCompletion(call) || isMediaModel(context.catalogue.find(call.request.fields.model))
        ? previewTask(context, { ...call, request: toOrder(call.request) })
        : previewCall(context, call),
  );
}

/** Answers with the tokens of a message's prompt: its provider's own count, or the estimate. @throws Refusal */
export function countMessageTokens(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
) {
  return answerAboutRequest(
    context,
    requestContext,
    sender,
    { operation: operations.countMessageTokens, read: readCountedMessage },
    async (call) => {
      const { caller, projectId } = call;
      const request = requireMessages(call.request);
      const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
      const { requestId, request: incoming } = requestContext;
      const { headers } = incoming;
      const pair = { projectId, keyId: caller.keyId };
      const counted = await askTokenCount(context, model, { requestId, request, headers, pair });
      if (counted !== null) return { input_tokens: counted };
      const { promptTokens } = await request.estimate(findCounting(context.directory, model));
      return { input_tokens: promptTokens };
    },
  );
}

/** Answers with the estimated tokens of a response's input, and of what it goes on from. @throws Refusal */
export function countResponseTokens(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
) {
  return answerAboutRequest(
    context,
    requestContext,
    sender,
    { operation: operations.countResponseTokens, read: readResponse },
    async ({ caller, projectId, request: sent }) => {
      const request = requireMessages(sent);
      const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
      const { promptTokens } = await request.estimate(findCounting(context.directory, model));
      return { object: "response.input_tokens", input_tokens: promptTokens };
    },
  );
}

/** Answers a question about a request without making the call. */
async function answerAboutRequest(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
  { operation, read }: { readonly operation: Operation; readonly read: CallReader },
  describe: (call: DescribedCall) => Promise<object>,
): Promise<Response> {
  const { requestId, request: incoming } = requestContext;
  const findMaker = async (maker: Caller) => {
    const { caller } = await findActingCaller(context, requestContext, maker, operation);
    return { caller, projectId: findChargedProject(context.projectCache, caller, incoming.headers) };
  };
  const first = await findMaker(sender);
  const options = {
    bounds: operation.bodyBounds,
    wantsHash: false,
    keyId: first.caller.keyId,
    projectId: first.projectId,
  };
  const request = await read(context, requestContext, options);
  try {
    // A body may have taken minutes to arrive.
    const present = authorizeAgain(context, incoming.headers, operation);
    const maker = present ? await findMaker(present) : first;
    const headers = { "x-request-id": requestId, "request-id": requestId };
    return respondWithJson(await describe({ ...maker, request }), { headers });
  } finally {
    request.release();
  }
}
