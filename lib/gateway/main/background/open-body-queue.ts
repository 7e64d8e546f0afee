import type { BodyDraft, BodyQueue } from "../../requests/stored-body";
import { databasePath } from "../../store/data-folder/open-store-file";
import type { StoreOptions } from "../open-stores";
import type { FromBodies, ToBodies } from "./body-thread-protocol";

/** The maximum size of queued bodies. Bodies beyond it are dropped, so that a busy gateway keeps its memory for calls. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** The memory of a body besides its bytes. */
const OVERHEAD_BYTES = 1024;
/** The minimum interval between two reports of dropped bodies. */
const REPORT_MS = 60_000;

/** Stores bodies on a separate thread, which starts with the first of them. */
export function openBodyQueue({
  dataFolder,
  secret,
  logFault,
}: Pick<StoreOptions, "dataFolder" | "secret" | "logFault">): BodyQueue & { close(): Promise<void> } {
  const waiting = new Map<string, number>();
  let waitingBytes = 0;
  let closed = Promise.withResolvers<void>();
  let thread: Worker | null = null;
  let lost = 0;
  let reportedAtMs = -Infinity;

  const lose = (reason: string) => {
    lost++;
    if (performance.now() - reportedAtMs < REPORT_MS) return;
    reportedAtMs = performance.now();
    logFault("bodies of calls", `${lost} were not kept: ${reason}`);
    lost = 0;
  };
  const done = (id: string) => {
    waitingBytes -= waiting.get(id) ?? 0;
    waiting.delete(id);
  };
  const receive = (message: FromBodies) => {
    if (message.kind === "closed") closed.resolve();
    else if (message.kind === "fault") lose(message.reason);
    else message.ids.forEach(done);
  };
  const end = (reason: string) => {
    thread?.terminate();
    thread = null;
    lose(reason);
    waiting.clear();
    waitingBytes = 0;
    closed.resolve();
  };
  const start = () => {
    const started = new Worker(new URL("./body-thread.ts", import.meta.url));
    closed = Promise.withResolvers();
    started.onmessage = ({ data }: MessageEvent<FromBodies>) => receive(data);
    started.onerror = ({ message }) => end(message);
    started.postMessage({ kind: "open", path: databasePath(dataFolder), secret } satisfies ToBodies);
    return started;
  };
  return {
    keep(draft) {
      const bytes = bytesOf(draft);
      if (waitingBytes + bytes > MAX_WAITING_BYTES) return lose("too many wait to be written");
      thread ??= start();
      waiting.set(draft.requestId, bytes);
      waitingBytes += bytes;
      thread.postMessage({ kind: "keep", draft } satisfies ToBodies, buffersOf(draft));
    },
    isWaiting: (requestId) => waiting.has(requestId),
    async close() {
      if (!thread) return;
      thread.postMessage({ kind: "close" } satisfies ToBodies);
      await closed.promise;
      thread?.terminate();
      thread = null;
    },
  };
}

function bytesOf({ request, reply }: BodyDraft): number {
  return OVERHEAD_BYTES + request.begin.byteLength + (reply?.begin.byteLength ?? 0);
}

function buffersOf({ request, reply }: BodyDraft): ArrayBuffer[] {
  return [request.begin.buffer, ...(reply ? [reply.begin.buffer] : [])];
}
