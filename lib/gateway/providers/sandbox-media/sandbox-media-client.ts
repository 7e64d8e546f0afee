import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../../clock";
import { WorkerClient } from "../../http/worker-client";
import { type MediaClient, type MediaOrder, OrderRefused, type RemoteTask } from "../media-client";
import type { FileAnswer, FileQuestion, InputBytes } from "./sandbox-media-thread";

const POLL_MS = 200;
/** A task's id contains its start time, from which its progress follows: the sandbox stores nothing. */
const REMOTE_ID = /^sandbox-(\d+)-(.+)$/;

const mimeTypes = { image: "image/png", video: "video/webm", music: "audio/wav" } as const;

/** Every video is this film of four seconds and 160 × 96 pixels, whatever its order says. */
const film = Bun.file(new URL("./film.webm", import.meta.url));

/** Drawing the largest picture takes less. */
const TIMEOUT_MS = MINUTE_MS;

/** Drawing takes seconds, which would block every call on the event loop. */
const thread = new WorkerClient<FileQuestion, FileAnswer>({
  start: () => new Worker(new URL("./sandbox-media-thread.ts", import.meta.url)),
  timeoutMs: TIMEOUT_MS,
  listTransfers: () => [],
  standsAlone: () => true,
  createLossError: () => new Error("The thread that makes the sandbox's files ended"),
  createCostError: () => new Error(`The sandbox took longer than ${TIMEOUT_MS} ms for a file`),
  // The caller logs the same error.
  logFault: () => {},
});
let last: Promise<unknown> = Promise.resolve();

/** Makes one file at a time, and none for a caller that has stopped waiting. The thread ends with the last file. */
function makeOnThread(order: MediaOrder, position: number, signal: AbortSignal): Promise<FileAnswer> {
  const file = makeAfter(last, { order, position }, signal).finally(() => {
    if (last === file) thread.close();
  });
  last = file;
  return file;
}

async function makeAfter(
  before: Promise<unknown>,
  { order: { inputs, ...order }, position }: { order: MediaOrder; position: number },
  signal: AbortSignal,
) {
  await before.catch(() => undefined);
  signal.throwIfAborted();
  const bytes = inputs && (await Promise.all(inputs.map(readInput)));
  return thread.ask({ order, position, ...(bytes && { inputs: bytes }) });
}

async function readInput({ name, read }: NonNullable<MediaOrder["inputs"]>[number]): Promise<InputBytes> {
  return { name, bytes: Buffer.concat(await Array.fromAsync(read())) };
}

/** An edit at its smallest shows whether its pictures can be read. */
async function refuseUnreadable(order: MediaOrder, signal: AbortSignal): Promise<void> {
  if (!order.inputs) return;
  const answer = await makeOnThread({ ...order, size: { width: 1, height: 1 } }, 0, signal);
  if ("fault" in answer)
    throw new OrderRefused("invalid_image", `The sandbox can't edit this: ${answer.fault}.`);
}

/**
 * The offline stand-in for a media provider. It makes real files, deterministic for an order. The field `sandbox` of an
 * order sets the task's duration and outcome, see `SandboxOptions`.
 */
export function createSandboxMediaClient({ nowMs }: Clock): MediaClient {
  const begunAtMs = ({ id }: RemoteTask) => Number(REMOTE_ID.exec(id)?.[1] ?? 0);
  return {
    submitsOnce: true,
    pollMs: POLL_MS,
    async submit(order, key, signal) {
      const { outcome } = readSandboxOptions(order);
      if (outcome === "refused") throw new OrderRefused("content_policy", "The sandbox refuses this order.");
      await refuseUnreadable(order, signal);
      return `sandbox-${nowMs()}-${key}`;
    },
    async poll(remote) {
      const { takesMs, outcome } = readSandboxOptions(remote.order);
      const elapsedMs = Math.max(0, nowMs() - begunAtMs(remote));
      if (outcome === "never ends") return { kind: "running", progress: 50 };
      if (elapsedMs < takesMs) return { kind: "running", progress: Math.floor((100 * elapsedMs) / takesMs) };
      if (outcome === "failed")
        return { kind: "failed", code: "sandbox_failure", message: "The sandbox fails this task." };
      const files = Array.from({ length: remote.order.count }, (_, position) => ({ position }));
      return { kind: "succeeded", files };
    },
    async cancel() {},
    async open({ order }, { position }, signal) {
      if (order.family === "video") return { mimeType: mimeTypes.video, bytes: film.stream() };
      const answer = await makeOnThread(order, position, signal);
      if ("fault" in answer) throw new Error(answer.fault);
      return { mimeType: mimeTypes[order.family], bytes: new Blob([answer]).stream() };
    },
  };
}

/** What the field `sandbox` of a request can set. */
interface SandboxOptions {
  /** How long the task takes. */
  readonly takesMs: number;
  readonly outcome: "succeeded" | "failed" | "refused" | "never ends";
}

const defaultMs = { image: 1_000, video: 4_000, music: 2_000 } as const;
const MAX_TASK_MS = HOUR_MS;
const outcomes: readonly unknown[] = ["succeeded", "failed", "refused", "never ends"];

/** `{"takes_ms": 500, "outcome": "failed"}`, which forms write as `sandbox[takes_ms]`. Unknown values are ignored. */
function readSandboxOptions({ family, extraFields }: MediaOrder): SandboxOptions {
  const inForm = {
    takes_ms: Number(extraFields["sandbox[takes_ms]"] ?? Number.NaN),
    outcome: extraFields["sandbox[outcome]"],
  };
  const { takes_ms, outcome } = (extraFields.sandbox ?? inForm) as { takes_ms?: unknown; outcome?: unknown };
  const isTime = typeof takes_ms === "number" && takes_ms >= 0 && takes_ms <= MAX_TASK_MS;
  return {
    takesMs: isTime ? takes_ms : defaultMs[family],
    outcome: outcomes.includes(outcome) ? (outcome as SandboxOptions["outcome"]) : "succeeded",
  };
}
