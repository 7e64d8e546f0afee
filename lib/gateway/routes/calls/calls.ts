import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Caller } from "../../access/caller";
import type { LineThrottle } from "../../batches/lines/line-throttle";
import { answerCall } from "../../calls/answer-call";
import { answerInBackground } from "../../calls/answer-once";
import { type CallKind, type CallOperationId, callKinds } from "../../calls/call-kinds";
import {
  countMessageTokens,
  countResponseTokens,
  type PreviewRequestContext,
  previewChatCompletion,
} from "../../calls/preview-request";
import type { ResponseSockets } from "../../calls/responses/response-socket";
import type { OpenStreams } from "../../http/open-streams";
import { findDialect } from "../../http/response";
import type { RequestContext } from "../../http/server";
import type { BackgroundAnswers } from "../../prompts/conversations/background-answers";
import type { RawHandler, RawHandlers } from "../handler";

interface CallRoutesContext extends PreviewRequestContext {
  readonly backgroundAnswers: BackgroundAnswers;
  readonly responseSockets: ResponseSockets;
  readonly openStreams: OpenStreams;
  /** Told of each call that was sent to the gateway itself. */
  readonly lineThrottle: Pick<LineThrottle, "noteLiveCall">;
}

type Ids =
  | CallOperationId
  | "connectResponses"
  | "countMessageTokens"
  | "countResponseTokens"
  | "previewChatCompletion";

export function callRoutes(context: CallRoutesContext): Pick<RawHandlers, Ids> {
  const answer = (requestContext: RequestContext, caller: Caller, kind: CallKind) => {
    context.lineThrottle.noteLiveCall();
    return answerCall(context, requestContext, caller, kind);
  };
  /** A call continues without its client if that asked for it, so that the playground finds the answer. */
  const answerKept = (requestContext: RequestContext, caller: Caller, kind: CallKind) => {
    const { dialect = "openai" } = callKinds[kind];
    return answerInBackground(context, requestContext, caller, dialect, () =>
      answer(requestContext, caller, kind),
    );
  };
  const kinds = Object.keys(callKinds) as CallKind[];
  const answers = kinds.map((kind): [string, RawHandler] => [
    callKinds[kind].operationId,
    (requestContext, caller) => answer(requestContext, caller, kind),
  ]);
  return {
    ...(Object.fromEntries(answers) as Record<CallOperationId, RawHandler>),
    createChatCompletion: (requestContext, caller) => answerKept(requestContext, caller, "chat completion"),
    createMessage: (requestContext, caller) => {
      const { headers, url } = requestContext.request;
      const isAnthropic = findDialect(headers, url) === "anthropic";
      return answerKept(
        requestContext,
        caller,
        isAnthropic ? "anthropic message" : "message as chat completion",
      );
    },
    createResponse: (requestContext, caller) => {
      if (requestContext.request.headers.has(KEEP_ANSWER_HEADER))
        return answerKept(requestContext, caller, "response");
      // One of the background is answered while its call goes on.
      const early = Promise.withResolvers<Response>();
      requestContext.answerEarly = early.resolve;
      return Promise.race([early.promise, answer(requestContext, caller, "response")]);
    },
    connectResponses: async (requestContext, { keyId, projectId }) => {
      const reader = { keyId, projectId, address: requestContext.address() };
      return context.responseSockets.begin(context, requestContext, reader);
    },
    countMessageTokens: (requestContext, caller) => countMessageTokens(context, requestContext, caller),
    countResponseTokens: (requestContext, caller) => countResponseTokens(context, requestContext, caller),
    previewChatCompletion: (requestContext, caller) => previewChatCompletion(context, requestContext, caller),
  };
}
