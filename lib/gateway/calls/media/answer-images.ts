import { MINUTE_MS } from "@/lib/contract/durations";
import type { ImageRequest } from "@/lib/contract/operations/calls/images";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { FileStorage } from "../../files/file-storage";
import { brokenOff } from "../../http/body-reader";
import { passOn, respondWithText, StreamedResponse } from "../../http/response";
import type { RequestContext } from "../../http/server";
import { MISCONFIGURED } from "../../providers/misconfigured";
import type { Admissions } from "../../rate-limits/admissions";
import { conflict, Refusal } from "../../refusal";
import type { TaskRecord, TaskStore } from "../../tasks/task-store.sql";
import type { TaskWatch } from "../../tasks/task-watch";

/** OpenAI's libraries give up after ten minutes. */
export const IMAGE_TIMEOUT_MS = 9 * MINUTE_MS;
/** The bytes that base64 encodes together. */
const BASE64_BYTES = 3;
/** A retry would create another task, so clients must not retry by themselves. */
const notRetried = { "x-should-retry": "false" };

export interface ImageAnswerContext {
  readonly tasks: Pick<TaskStore, "find">;
  readonly taskWatch: Pick<TaskWatch, "untilEnded">;
  readonly outputFiles: Pick<FileStorage, "open">;
  readonly admissions: Admissions;
  readonly runtime: ClockAndRandom;
  readonly consoleUrl: string;
  logFault(requestId: string, error: unknown): void;
}

/** The call that is answered with images. */
interface ImageCall {
  readonly format: ImageRequest["response_format"];
  /** @throws Refusal once its maker may no longer make it. */
  refuseEndedAccess(): void;
}

/**
 * Waits for a task to end and answers with its images in the form of OpenAI's API. The task goes on if its client
 * leaves, or loses access.
 * @param taskReply the reply that contains the task.
 * @throws Refusal if the task has no images, and that of `refuseEndedAccess`.
 */
export async function answerImages(
  context: ImageAnswerContext,
  requestContext: Pick<RequestContext, "url" | "requestId" | "clientSignal">,
  { format, refuseEndedAccess }: ImageCall,
  taskReply: Response,
): Promise<Response> {
  const { taskWatch, consoleUrl } = context;
  const { id, request_id } = (await taskReply.json()) as Task;
  const { headers } = taskReply;
  headers.set("x-gatehouse-task-id", id);
  const leave = context.admissions.countWaitingClient();
  try {
    const wait = { timeoutMs: IMAGE_TIMEOUT_MS, signal: requestContext.clientSignal, refuseEndedAccess };
    const task = await taskWatch.untilEnded(id, wait);
    if (!task) throw brokenOff();
    refuseEndedAccess();
    refuseUnfinished(task);
    const address = new URL("/v1/tasks", requestContext.url).href;
    if (format === "url") return respondWithText(linkImages(task, address), { headers });
    const images = streamPieces(await encodeImages(context, task));
    const logFault = (error: unknown) => context.logFault(requestContext.requestId, error);
    return new StreamedResponse(passOn(images, refuseEndedAccess, logFault), { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const url = `${consoleUrl}/requests/${request_id}`;
    throw error.with({ url, headers: Object.fromEntries(headers) });
  } finally {
    leave();
  }
}

function linkImages(task: TaskRecord, address: string): string {
  const data = task.files.map((_, position) => ({ url: `${address}/${task.id}/output/${position}` }));
  return JSON.stringify({ ...describe(task), data });
}

/** Yields the reply in pieces: the images of one request may be hundreds of megabytes. */
async function encodeImages(context: ImageAnswerContext, task: TaskRecord) {
  const open = (position: number) => context.outputFiles.open(task.id, position);
  const presentFiles = await Promise.all(task.files.map((_, position) => open(position)));
  if (presentFiles.includes(null)) throw filesDeleted(task.id);
  return (async function* () {
    const { created, ...more } = describe(task);
    yield `{"created":${created},"data":[`;
    for (const position of task.files.keys()) {
      yield position === 0 ? '{"b64_json":"' : ',{"b64_json":"';
      // Opened when its turn comes, and read as one stream: for a slow client it may leave this disk at any time.
      const file = await open(position);
      if (!file) throw filesDeleted(task.id);
      yield* encodeBase64(file.read(0, file.bytes));
      yield '"}';
    }
    yield `],${JSON.stringify(more).slice(1)}`;
  })();
}

async function* encodeBase64(pieces: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const wholeBytes = bytes.byteLength - (bytes.byteLength % BASE64_BYTES);
    yield bytes.toString("base64", 0, wholeBytes);
    rest = bytes.subarray(wholeBytes);
  }
  yield Buffer.from(rest).toString("base64");
}

function streamPieces(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function describe({ createdAtMs, files }: TaskRecord) {
  const type = files[0]?.mimeType ?? "image/png";
  return { created: toUnixSeconds(createdAtMs), output_format: type.slice(type.indexOf("/") + 1) };
}

function filesDeleted(taskId: string): Refusal {
  const message = `The images of ${taskId} are older than files are kept. Make them again with a new Idempotency-Key.`;
  return new Refusal(404, "not_found_error", "object_not_found", message);
}

/** @throws Refusal for a task that has not succeeded. */
function refuseUnfinished({ id, status, error, endedAtMs }: TaskRecord): void {
  if (status === "succeeded") return;
  if (endedAtMs === null) {
    const message = `The task ${id} is still running. Its files will be available at /v1/tasks/${id}, and are charged once.`;
    throw new Refusal(504, "service_error", "provider_timeout", message, { headers: notRetried });
  }
  if (status === "canceled") {
    throw conflict("task_id", `The task ${id} was canceled. It cost nothing.`, "task_ended").with({
      headers: notRetried,
    });
  }
  const message = error?.message ?? "The provider failed.";
  if (error?.code === MISCONFIGURED)
    throw new Refusal(502, "service_error", MISCONFIGURED, message, { headers: notRetried });
  const details = { headers: notRetried, ...(error && { providerCode: error.code }) };
  throw new Refusal(502, "service_error", "provider_error", message, details);
}
