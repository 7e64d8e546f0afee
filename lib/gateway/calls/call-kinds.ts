import type { OperationId } from "@/lib/contract/operation-table";
import type { ImageRequest } from "@/lib/contract/operations/calls/images";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { type Dialect, respondWithText } from "../http/response";
import type { RequestContext } from "../http/server";
import type { TaskStore } from "../tasks/task-store.sql";
import { describeVideo } from "../tasks/tasks";
import { answerImages, type ImageAnswerContext } from "./media/answer-images";
import {
  type CallReader,
  type IncomingCall,
  readJson,
  readJsonOrForm,
  readPictures,
  readRecording,
} from "./requests/incoming-call";
import type { OrderRequest } from "./requests/prepared-request";
import { readCompaction, readResponse } from "./requests/read-response";

/** A kind of call: which operation it is, how its body is read, and what answers it. */
export interface CallKindRow {
  /** The operation that a caller needs. It also bounds the body. */
  readonly operationId: OperationId;
  /** The endpoint's name in receipts. */
  readonly receiptEndpoint: RequestClient["endpoint"];
  readonly read: CallReader;
  /** The format of replies and errors, if it is not OpenAI's. */
  readonly dialect?: Dialect;
  /** Turns the task of a media model into the reply. Absent where such models don't answer. */
  readonly answerTask?: TaskAnswer;
}

type TaskAnswer = (
  context: ImageAnswerContext,
  requestContext: RequestContext,
  call: IncomingCall<OrderRequest>,
  taskReply: Response,
) => Promise<Response>;

const answerWithTask: TaskAnswer = async (_context, _exchange, _call, taskReply) => taskReply;

const answerWithImages: TaskAnswer = (context, requestContext, { request, refuseEndedAccess }, taskReply) => {
  const format = request.order?.response_format as ImageRequest["response_format"];
  return answerImages(context, requestContext, { format, refuseEndedAccess }, taskReply);
};

const answerWithVideo: TaskAnswer = (context, _exchange, _call, taskReply) => answerVideo(context, taskReply);

const rows = {
  "chat completion": {
    operationId: "createChatCompletion",
    receiptEndpoint: "chat/completions",
    read: readJson("chat completion"),
    answerTask: answerWithTask,
  },
  "anthropic message": {
    operationId: "createMessage",
    receiptEndpoint: "messages",
    read: readJson("anthropic message"),
    dialect: "anthropic",
  },
  // The same operation, for clients that don't speak Anthropic's dialect.
  "message as chat completion": {
    operationId: "createMessage",
    receiptEndpoint: "messages",
    read: readJson("message as chat completion"),
  },
  response: {
    operationId: "createResponse",
    receiptEndpoint: "responses",
    read: readResponse,
  },
  compaction: {
    operationId: "createCompaction",
    receiptEndpoint: "responses",
    read: readCompaction,
  },
  embedding: {
    operationId: "createEmbedding",
    receiptEndpoint: "embeddings",
    read: readJson("embedding"),
  },
  moderation: {
    operationId: "createModeration",
    receiptEndpoint: "moderations",
    read: readJson("moderation"),
  },
  image: {
    operationId: "createImage",
    receiptEndpoint: "images/generations",
    read: readJson("image"),
    answerTask: answerWithImages,
  },
  "image edit": {
    operationId: "createImageEdit",
    receiptEndpoint: "images/edits",
    read: readPictures,
    answerTask: answerWithImages,
  },
  video: {
    operationId: "createVideo",
    receiptEndpoint: "videos",
    read: readJsonOrForm("video"),
    answerTask: answerWithVideo,
  },
  speech: {
    operationId: "createSpeech",
    receiptEndpoint: "audio/speech",
    read: readJson("speech"),
  },
  transcription: {
    operationId: "createTranscription",
    receiptEndpoint: "audio/transcriptions",
    read: readRecording("audio/transcriptions"),
  },
  translation: {
    operationId: "createTranslation",
    receiptEndpoint: "audio/translations",
    read: readRecording("audio/translations"),
  },
} as const satisfies Readonly<Record<string, CallKindRow>>;

export type CallKind = keyof typeof rows;

/** The operations that call a model. */
export type CallOperationId = (typeof rows)[CallKind]["operationId"];

/** Each kind of call that a model answers. */
export const callKinds: Readonly<Record<CallKind, CallKindRow>> = rows;

/**
 * Answers with the present state of a task in the form of OpenAI's videos. @param taskReply the reply that contains the
 * task.
 */
async function answerVideo(
  { tasks }: { readonly tasks: Pick<TaskStore, "find"> },
  taskReply: Response,
): Promise<Response> {
  const { id } = (await taskReply.json()) as Task;
  const task = await tasks.find(id);
  if (!task) throw new Error(`There is no task ${id}`);
  return respondWithText(JSON.stringify(describeVideo(task)), { headers: taskReply.headers });
}
