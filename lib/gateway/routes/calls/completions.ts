import type { Caller } from "../../access/caller";
import { answerCall } from "../../calls/answer-call";
import { answerInBackground } from "../../calls/answer-in-background";
import type { CallOperationId } from "../../calls/call-operations";
import {
  countMessageTokens,
  type PreviewRequestContext,
  previewChatCompletion,
} from "../../calls/preview-request";
import type { CallKind } from "../../calls/read-call";
import type { BackgroundAnswers } from "../../conversations/background-answers";
import type { Exchange } from "../../http/exchange";
import type { RawHandler, RawHandlers } from "../handler";

export interface CompletionRoutesContext extends PreviewRequestContext {
  readonly backgroundAnswers: BackgroundAnswers;
  /** Called for each call that was sent to the gateway itself. */
  noteLiveCall(): void;
}

export function completionRoutes(context: CompletionRoutesContext): Pick<RawHandlers, CallOperationId> {
  const answer = (exchange: Exchange, caller: Caller, form: CallKind) => {
    context.noteLiveCall();
    return answerCall(context, exchange, caller, form);
  };
  const answerForm =
    (form: CallKind): RawHandler =>
    (exchange, caller) =>
      answer(exchange, caller, form);
  return {
    createChatCompletion: (exchange, caller) =>
      answerInBackground(context, exchange, caller, "openai", () =>
        answer(exchange, caller, "chat completion"),
      ),
    createMessage: (exchange, caller) => {
      const isAnthropic = exchange.request.headers.has("anthropic-version");
      const [form, dialect] = isAnthropic
        ? (["message", "anthropic"] as const)
        : (["chat message", "openai"] as const);
      return answerInBackground(context, exchange, caller, dialect, () => answer(exchange, caller, form));
    },
    createEmbedding: answerForm("embedding"),
    createModeration: answerForm("moderation"),
    createImage: answerForm("image"),
    createImageEdit: answerForm("image edit"),
    createVideo: answerForm("video"),
    createSpeech: answerForm("speech"),
    createTranscription: answerForm("transcription"),
    createTranslation: answerForm("translation"),
    countMessageTokens: (exchange, caller) => countMessageTokens(context, exchange, caller),
    previewChatCompletion: (exchange, caller) => previewChatCompletion(context, exchange, caller),
  };
}
