import type { Caller } from "../../access/caller";
import { answerCall } from "../../calls/answer-call";
import { answerInBackground } from "../../calls/background-answer";
import { type CallKind, type CallOperationId, callKinds } from "../../calls/call-kinds";
import {
  countMessageTokens,
  type PreviewRequestContext,
  previewChatCompletion,
} from "../../calls/preview-request";
import type { Exchange } from "../../http/exchange";
import { findDialect } from "../../http/refuse";
import type { BackgroundAnswers } from "../../prompts/conversations/background-answers";
import type { RawHandler, RawHandlers } from "../handler";

interface CallRoutesContext extends PreviewRequestContext {
  readonly backgroundAnswers: BackgroundAnswers;
  /** Called for each call that was sent to the gateway itself. */
  noteLiveCall(): void;
}

type Ids = CallOperationId | "countMessageTokens" | "previewChatCompletion";

export function callRoutes(context: CallRoutesContext): Pick<RawHandlers, Ids> {
  const answer = (exchange: Exchange, caller: Caller, kind: CallKind) => {
    context.noteLiveCall();
    return answerCall(context, exchange, caller, kind);
  };
  /** A call continues without its client if that asked for it, so that the playground finds the answer. */
  const answerKept = (exchange: Exchange, caller: Caller, kind: CallKind) => {
    const { dialect = "openai" } = callKinds[kind];
    return answerInBackground(context, exchange, caller, dialect, () => answer(exchange, caller, kind));
  };
  const kinds = Object.keys(callKinds) as CallKind[];
  const answers = kinds.map((kind): [string, RawHandler] => [
    callKinds[kind].operationId,
    (exchange, caller) => answer(exchange, caller, kind),
  ]);
  return {
    ...(Object.fromEntries(answers) as Record<CallOperationId, RawHandler>),
    createChatCompletion: (exchange, caller) => answerKept(exchange, caller, "chat completion"),
    createMessage: (exchange, caller) => {
      const { headers, url } = exchange.request;
      const isAnthropic = findDialect(headers, url) === "anthropic";
      return answerKept(exchange, caller, isAnthropic ? "anthropic message" : "message as chat completion");
    },
    countMessageTokens: (exchange, caller) => countMessageTokens(context, exchange, caller),
    previewChatCompletion: (exchange, caller) => previewChatCompletion(context, exchange, caller),
  };
}
