import type { ImageRequest } from "@/lib/contract/operations/images";
import type { Caller } from "../../access/caller";
import { namedProject } from "../../access/named-project";
import type { BodyCaptures } from "../../completions/bodies/body-capture";
import { callableModel } from "../../completions/callable-model";
import { completeMessage } from "../../completions/complete-message";
import { completeOnce, type OnceContext, readIdempotency } from "../../completions/complete-once";
import { type PreviewContext, previewCall } from "../../completions/preview-call";
import type { IncomingCall } from "../../completions/requests/incoming-call";
import type { PreparedRequest } from "../../completions/requests/prepared-request";
import { promptReader } from "../../completions/requests/prompt-reader";
import { readClient } from "../../completions/requests/read-client";
import type { CallTracer } from "../../completions/traces/call-tracer";
import { logEarlyRefusal } from "../../completions/traces/log-refusal";
import type { BackgroundAnswers } from "../../conversations/background-answers";
import type { Exchange } from "../../http/exchange";
import { respondWithJson } from "../../http/known-response";
import type { RequestHeaders } from "../../incoming-request";
import { answerImages, type ImageAnswerContext } from "../../media/answer-images";
import { answerVideo } from "../../media/answer-video";
import { createTask, isMediaModel, type TaskCreation } from "../../media/create-task";
import { previewTask } from "../../media/preview-task";
import type { ProjectMirror } from "../../projects/project-mirror";
import { invalid, Refusal } from "../../refusal";
import type { StreamedHandlers } from "../handler";
import { answerKept } from "./keep-answer";
import { type CallForm, type CallReading, endpointOf, readCall } from "./read-call";
import { actingCaller, type RunAsContext } from "./run-as";

export interface CompletionRoutesContext
  extends OnceContext,
    TaskCreation,
    ImageAnswerContext,
    PreviewContext,
    CallReading,
    RunAsContext {
  readonly projectMirror: ProjectMirror;
  readonly bodyCaptures: BodyCaptures;
  /** Null where traces are off. */
  readonly callTraces: CallTracer | null;
  readonly backgroundAnswers: BackgroundAnswers;
}

type Ids =
  | "createChatCompletion"
  | "createMessage"
  | "countMessageTokens"
  | "previewChatCompletion"
  | "createEmbedding"
  | "createModeration"
  | "createImage"
  | "createImageEdit"
  | "createVideo"
  | "createSpeech"
  | "createTranscription"
  | "createTranslation";

/** The operation that a caller needs for each form of a body. */
const operationOf = {
  "chat completion": "createChatCompletion",
  "chat message": "createMessage",
  message: "createMessage",
  "message count": "countMessageTokens",
  embedding: "createEmbedding",
  moderation: "createModeration",
  image: "createImage",
  "image edit": "createImageEdit",
  video: "createVideo",
  speech: "createSpeech",
  transcription: "createTranscription",
  translation: "createTranslation",
} as const satisfies Record<CallForm, Ids>;

export function completionRoutes(context: CompletionRoutesContext): Pick<StreamedHandlers, Ids> {
  const answerOnce = async (exchange: Exchange, asker: Caller, form: CallForm, batchId?: string) => {
    // Checked before the body is read: refusing under overload must be cheap, so that other calls can be served.
    context.admissions.refuseCrowd(asker.keyId);
    const { headers } = exchange.request;
    const acting = actingCaller(context, exchange, asker, operationOf[form]);
    const { caller, runBy } = acting instanceof Promise ? await acting : acting;
    const projectId = chargedProject(context.projectMirror, caller, headers);
    const key = headers.get("idempotency-key");
    const client = readClient(headers, endpointOf[form], key, runBy);
    const { requestId } = exchange;
    const capture = context.bodyCaptures.begin({ requestId, projectId, keyId: caller.keyId });
    const traceparent = context.callTraces?.begin(exchange.requestId, headers, endpointOf[form]);
    const asked = { exchange, client, caller, projectId, batchId };
    let request: PreparedRequest | null = null;
    try {
      const reading = { form, wantsHash: key !== null, keyId: caller.keyId };
      request = await readCall(context, exchange, reading, capture);
      const idempotency = readIdempotency(key, { projectId, callerId: caller.id }, request.bodyHash);
      const call = { ...asked, request, idempotency, capture, traceparent };
      const reply = await answerWhole(context, exchange, call, form);
      if (context.callTraces && reply.headers.has("idempotency-replayed"))
        context.callTraces.replayed(exchange.requestId);
      return reply;
    } catch (error) {
      const reported = keepRefusal(context, asked, request, error);
      if (!(reported instanceof Refusal) || reported.details.url !== undefined) capture?.end();
      const { status, code } =
        reported instanceof Refusal ? reported : { status: 500, code: "internal_error" };
      context.callTraces?.failed(exchange.requestId, status, code);
      throw reported;
    } finally {
      request?.release();
    }
  };
  return {
    // Batches call these two with their id, which the path of a live call doesn't have.
    createChatCompletion: (exchange, caller, { batch_id }) =>
      answerKept(context, exchange, caller, "openai", () =>
        answerOnce(exchange, caller, "chat completion", batch_id),
      ),
    createMessage: (exchange, caller) => {
      const isAnthropic = exchange.request.headers.has("anthropic-version");
      const [form, dialect] = isAnthropic
        ? (["message", "anthropic"] as const)
        : (["chat message", "openai"] as const);
      return answerKept(context, exchange, caller, dialect, () => answerOnce(exchange, caller, form));
    },
    createEmbedding: (exchange, caller, { batch_id }) => answerOnce(exchange, caller, "embedding", batch_id),
    createModeration: (exchange, caller) => answerOnce(exchange, caller, "moderation"),
    createImage: (exchange, caller) => answerOnce(exchange, caller, "image"),
    createImageEdit: (exchange, caller) => answerOnce(exchange, caller, "image edit"),
    createVideo: (exchange, caller) => answerOnce(exchange, caller, "video"),
    createSpeech: (exchange, caller) => answerOnce(exchange, caller, "speech"),
    createTranscription: (exchange, caller) => answerOnce(exchange, caller, "transcription"),
    createTranslation: (exchange, caller) => answerOnce(exchange, caller, "translation"),
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
  asker: Caller,
  form: CallForm,
  describe: (call: Pick<IncomingCall, "caller" | "projectId" | "request">) => Promise<object>,
): Promise<Response> {
  const { request: asked, requestId } = exchange;
  const { caller } = await actingCaller(context, exchange, asker, "previewChatCompletion");
  const projectId = chargedProject(context.projectMirror, caller, asked.headers);
  const request = await readCall(context, exchange, { form, wantsHash: false, keyId: caller.keyId });
  try {
    const headers = { "x-request-id": requestId, "request-id": requestId };
    return respondWithJson(await describe({ caller, projectId, request }), { headers });
  } finally {
    request.release();
  }
}

function mediaAnswersElsewhere(model: string): Refusal {
  return invalid("model", `"${model}" makes files, and answers at /v1/chat/completions with a task.`);
}

/** Answers with a completion or, where the model makes media, with a task that makes them. */
function answerWhole(
  context: CompletionRoutesContext,
  exchange: Exchange,
  call: IncomingCall,
  form: CallForm,
): Promise<Response> {
  if (isMediaModel(context.catalogue.find(call.request.fields.model)))
    return answerMedia(context, exchange, call, form);
  return form === "message" ? completeMessage(context, call) : completeOnce(context, call);
}

async function answerMedia(
  context: CompletionRoutesContext,
  exchange: Exchange,
  call: IncomingCall,
  form: CallForm,
): Promise<Response> {
  const { fields, whole } = call.request;
  if (form !== "chat completion" && form !== "image" && form !== "image edit" && form !== "video")
    throw mediaAnswersElsewhere(fields.model);
  const made = await completeOnce(context, call, (incoming) => createTask(context, incoming));
  if (form === "chat completion") return made;
  if (form === "video") return answerVideo(context, made);
  const format = whole?.response_format as ImageRequest["response_format"];
  return answerImages(context, exchange, call.caller, format, made);
}

/** Logs a refusal that `complete` has not logged, and adds the link to its receipt. */
function keepRefusal(
  context: CompletionRoutesContext,
  asked: Pick<IncomingCall, "exchange" | "client" | "caller" | "projectId" | "batchId">,
  request: PreparedRequest | null,
  error: unknown,
): unknown {
  if (!(error instanceof Refusal) || error.details.url !== undefined) return error;
  if (!logEarlyRefusal(context, asked, request?.fields ?? null, error)) return error;
  return error.with({ url: `${context.consoleUrl}/requests/${asked.exchange.requestId}` });
}

/** @throws Refusal 400 where no project is named, or 404. */
export function chargedProject(
  projectMirror: Pick<ProjectMirror, "find">,
  caller: Caller,
  headers: RequestHeaders,
): string {
  const projectId = namedProject(projectMirror, caller, headers);
  if (projectId !== null) return projectId;
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}
