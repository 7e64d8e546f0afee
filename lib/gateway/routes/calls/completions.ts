import type { Caller } from "../../access/caller";
import { chargedProject } from "../../access/charged-project";
import { answerCall, type CallContext } from "../../calls/answer-call";
import { answerInBackground } from "../../calls/answer-in-background";
import type { CallOperationId } from "../../calls/call-operations";
import { type CallKind, readCall } from "../../calls/read-call";
import { actingCaller } from "../../calls/run-as";
import { callableModel } from "../../completions/callable-model";
import { type PreviewContext, previewCall } from "../../completions/preview-call";
import type { IncomingCall } from "../../completions/requests/incoming-call";
import { promptReader } from "../../completions/requests/prompt-reader";
import type { BackgroundAnswers } from "../../conversations/background-answers";
import type { Exchange } from "../../http/exchange";
import { respondWithJson } from "../../http/known-response";
import { isMediaModel } from "../../media/create-task";
import { previewTask } from "../../media/preview-task";
import type { RawHandler, RawHandlers } from "../handler";

export interface CompletionRoutesContext extends CallContext, PreviewContext {
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
    countMessageTokens: (exchange, caller) =>
      answerAboutRequest(context, exchange, caller, "message count", (call) => countTokens(context, call)),
    previewChatCompletion: (exchange, caller) =>
      answerAboutRequest(context, exchange, caller, "chat completion", (call) =>
        isMediaModel(context.catalogue.find(call.request.fields.model))
          ? previewTask(context, call)
          : previewCall(context, call),
      ),
  };
}

async function countTokens(
  context: CompletionRoutesContext,
  { caller, projectId, request }: Pick<IncomingCall, "caller" | "projectId" | "request">,
) {
  const model = callableModel(context, projectId, request.fields.model, caller.scope);
  const { promptTokens } = await request.estimate(promptReader(context.directory, model));
  return { input_tokens: promptTokens };
}

/** Answers a question about a request without making the call. */
async function answerAboutRequest(
  context: CompletionRoutesContext,
  exchange: Exchange,
  sender: Caller,
  form: CallKind,
  describe: (call: Pick<IncomingCall, "caller" | "projectId" | "request">) => Promise<object>,
): Promise<Response> {
  const { requestId } = exchange;
  const { caller } = await actingCaller(context, exchange, sender, "previewChatCompletion");
  const projectId = chargedProject(context.projectMirror, caller, exchange.request.headers);
  const request = await readCall(context, exchange, { form, wantsHash: false, keyId: caller.keyId });
  try {
    const headers = { "x-request-id": requestId, "request-id": requestId };
    return respondWithJson(await describe({ caller, projectId, request }), { headers });
  } finally {
    request.release();
  }
}
