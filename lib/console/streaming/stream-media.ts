import { isMediaFamily, type ModelFamily } from "@/lib/contract/calls/model-families";
import { parseJson } from "@/lib/contract/json-value";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import { type Task, task as taskSchema } from "@/lib/contract/operations/tasks/task";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import type { Connection, LooseRequest } from "../gateway/gateway-request";
import { createProblem } from "../gateway/problem";
import { readReply, readText } from "../gateway/read-reply";
import { dispatch, hasMediaType, openReply, sendRequest } from "../gateway/send-request";
import {
  type ChatEvent,
  describeBrokenAnswer,
  describeRawReply,
  formatJson,
  openAnswer,
  readEventStream,
} from "./chat-event";

/** The families of models that answer other calls than chats. */
export type OtherFamily = Exclude<ModelFamily, "chat">;

interface MediaCall {
  readonly family: OtherFamily;
  readonly body: Readonly<Record<string, unknown>>;
  /** The recording of a transcription. */
  readonly recording?: File | undefined;
  /** True to translate a recording into English. */
  readonly translates?: boolean | undefined;
  readonly projectId: string | null;
  /** The id of a key whose scopes and limits apply. */
  readonly runAs?: string | undefined;
}

/**
 * Makes a call to a model that isn't a chat model, as a program would: a task for what takes a while, and a reply for
 * the rest. Aborting the signal closes the connection; a task goes on unless it was aborted before its id was known.
 * @throws when the signal aborts.
 */
export async function* streamMedia(
  connection: Connection,
  call: MediaCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const { family, projectId, runAs } = call;
  const headers: Record<string, string> = {
    ...(projectId !== null && { "openai-project": projectId }),
    ...(runAs !== undefined && { [RUN_AS_HEADER]: runAs }),
  };
  if (isMediaFamily(family)) yield* createTask(connection, { body: call.body, headers }, signal);
  else yield* streamReply(connection, { ...call, family, headers }, signal);
}

type ReplyCall = MediaCall & { readonly headers: Record<string, string> };

async function* streamReply(
  connection: Connection,
  call: ReplyCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const operation = chooseOperation(call);
  const response = yield* openAnswer(connection, operation, { ...encodeCall(call), signal });
  if (!response) return;
  const requestId = response.headers.get("x-request-id");
  yield { type: "start", requestId, maxTokens: null };
  try {
    yield* readMediaReply(response, call.family);
  } catch (error) {
    if (signal.aborted) throw error;
    yield { type: "problem", problem: describeBrokenAnswer(error, requestId) };
  }
}

function chooseOperation({ family, translates }: MediaCall): Operation {
  if (family === "speech") return operations.createSpeech;
  if (family === "embedding") return operations.createEmbedding;
  if (family === "moderation") return operations.createModeration;
  return translates ? operations.createTranslation : operations.createTranscription;
}

/** A recording goes as a form, and every other call as JSON. */
function encodeCall({ body, headers, recording, family }: ReplyCall): LooseRequest {
  if (family !== "transcription") return { body, headers };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  if (recording) form.set("file", recording, recording.name);
  return { raw: { body: form }, headers };
}

/** Each stream of a task begins with the task. More streams than this without one come from something else. */
const MAX_SILENT_STREAMS = 2;

type TaskCall = {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Creates a task and follows it to its end.
 * @throws when the signal aborts.
 */
async function* createTask(
  connection: Connection,
  call: TaskCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const operation = operations.createChatCompletion;
  // The signal doesn't abort it: the task might have been created, and nobody would know its id.
  const response = await dispatch(connection, operation, call).catch((error: unknown) =>
    buildUnreachable(connection, error),
  );
  if (!(response instanceof Response)) {
    yield { type: "problem", problem: response };
    return;
  }
  const reply = await readReply(response).catch(() => undefined);
  const created = response.ok ? taskSchema.safeParse(reply) : null;
  if (signal.aborted) {
    if (created?.success) await cancel(connection, created.data.id);
    return;
  }
  if (response.ok) yield { type: "start", requestId: response.headers.get("x-request-id"), maxTokens: null };
  yield describeRawReply(response, formatJson(reply));
  if (!created) yield { type: "problem", problem: buildRefusal(response, reply, operation, call) };
  else if (created.success) yield* followTask(connection, created.data, signal);
  else yield { type: "problem", problem: createProblem("failed", "The gateway answered with no task.") };
}

/**
 * Reports a task each time it has changed, until it has ended.
 * @throws when the signal aborts.
 */
export async function* followTask(
  connection: Connection,
  task: Pick<Task, "id"> & Partial<Task>,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  if (task.status !== undefined) yield { type: "output", output: { kind: "task", task: task as Task } };
  const operation = operations.streamOwnTaskEvents;
  const request = { params: { task_id: task.id }, signal };
  let silentStreams = 0;
  // The gateway ends each stream after a while.
  while (silentStreams < MAX_SILENT_STREAMS) {
    if (signal.aborted) return;
    const reply = await openReply(connection, operation, request, "text/event-stream");
    signal.throwIfAborted();
    if (!reply.ok) {
      yield { type: "problem", problem: reply.problem };
      return;
    }
    silentStreams += 1;
    try {
      for await (const update of readTasks(reply.data)) {
        silentStreams = 0;
        yield { type: "output", output: { kind: "task", task: update } };
        if (update.ended_at !== null) return;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      yield { type: "problem", problem: buildUnreachable(connection, error) };
      return;
    }
  }
  const message =
    "The gateway no longer says how far this task is. The task goes on: look for it under Tasks.";
  yield { type: "problem", problem: createProblem("failed", message) };
}

async function* readTasks({ body }: Response): AsyncGenerator<Task> {
  if (!body) return;
  for await (const data of readEventStream(body)) {
    const update = taskSchema.safeParse(parseJson(data));
    if (update.success) yield update.data;
  }
}

async function cancel(connection: Connection, taskId: string): Promise<void> {
  await sendRequest(connection, operations.cancelOwnTask, { params: { task_id: taskId } });
}

/** The longest text, spoken slowly and uncompressed, is smaller. */
const MAX_AUDIO_BYTES = 32 * 1024 * 1024;

const UNREADABLE =
  "The provider’s reply is in a format that the playground can’t show. “Request and reply” in this answer’s menu has it as it came.";

/**
 * Reads the whole reply of a speech, transcription, embedding or moderation model.
 * @throws ReplyTooLarge, and the body's own errors.
 */
async function* readMediaReply(response: Response, family: ModelFamily): AsyncGenerator<ChatEvent> {
  if (family === "speech") yield* readSpeech(response);
  else if (family === "transcription" && !hasMediaType(response, "application/json")) {
    const text = await readText(response);
    yield* describeTranscript(text);
    yield describeRawReply(response, text);
  } else {
    const media = await readReply(response);
    const reply = (typeof media === "object" && media !== null ? media : {}) as MediaReply;
    const output = [...readOutput(reply, family)];
    yield* output;
    yield* readUsage(reply.usage);
    yield describeRawReply(response, formatJson(media));
    if (output.length > 0) return;
    const problem = createProblem("failed", UNREADABLE);
    yield { type: "problem", problem };
  }
}

async function* readSpeech(response: Response): AsyncGenerator<ChatEvent> {
  const mimeType = response.headers.get("content-type")?.split(";")[0] ?? "";
  const audio = await readAudio(response);
  const size = audio === null ? `more than ${MAX_AUDIO_BYTES}` : audio.length;
  yield describeRawReply(response, `(${size} bytes of ${mimeType})`);
  if (audio === null)
    yield { type: "problem", problem: createProblem("failed", "The audio is too large for the playground.") };
  else {
    const data = audio.toString("base64");
    yield { type: "output", output: { kind: "speech", mimeType, bytes: audio.length, data } };
  }
}

/** Null beyond the size limit, after which nothing more is read. */
async function readAudio({ body }: Response): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_AUDIO_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The fields that are read. A provider's reply may lack each of them. */
interface MediaReply {
  readonly text?: string;
  readonly usage?: MediaUsage;
  readonly data?: readonly { readonly embedding?: readonly number[] }[];
  readonly results?: readonly {
    readonly flagged?: boolean;
    readonly categories?: Readonly<Record<string, boolean | null>>;
    readonly category_scores?: Readonly<Record<string, number>>;
  }[];
}

/** An embedding reports `prompt_tokens`, a transcription `input_tokens` and `output_tokens`. */
interface MediaUsage {
  readonly prompt_tokens?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

function* readUsage(usage: MediaUsage | undefined): Generator<ChatEvent> {
  const promptTokens = usage?.prompt_tokens ?? usage?.input_tokens;
  const completionTokens = usage?.output_tokens ?? 0;
  if (promptTokens !== undefined)
    yield { type: "usage", promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

function* describeTranscript(text: string): Generator<ChatEvent> {
  if (text !== "") yield { type: "text", text };
  yield { type: "output", output: { kind: "transcript" } };
}

/** Nothing if the reply is not of the form that its family has. */
function* readOutput({ text, data, results }: MediaReply, family: ModelFamily): Generator<ChatEvent> {
  const vector = data?.[0]?.embedding;
  const result = results?.[0];
  if (family === "transcription" && typeof text === "string") {
    yield* describeTranscript(text);
  } else if (family === "embedding" && Array.isArray(vector)) {
    yield { type: "output", output: { kind: "embedding", vector } };
  } else if (family === "moderation" && result) {
    const scores = result.category_scores ?? {};
    const categories = Object.entries(result.categories ?? {}).map(([name, isFlagged]) => ({
      name,
      flagged: isFlagged === true,
      score: scores[name] ?? null,
    }));
    const output = { kind: "moderation" as const, flagged: result.flagged === true, categories };
    yield { type: "output", output };
  }
}
