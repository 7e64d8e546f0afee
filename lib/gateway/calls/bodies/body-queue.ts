import { MINUTE_MS } from "@/lib/contract/durations";
import { buildDatabasePath } from "../../database/data-folder/open-store-file";
import type { BodyDraft } from "../../log/bodies/stored-body";

/** Where bodies are stored: the embedded database, or PostgreSQL. */
type BodyStore = { readonly path: string } | { readonly databaseUrl: string };

/** Messages to the thread that stores bodies. */
export type ToBodies =
  | { readonly kind: "open"; readonly store: BodyStore; readonly secret: Uint8Array }
  | { readonly kind: "keep"; readonly draft: BodyDraft }
  | { readonly kind: "close" };

export type FromBodies =
  /** The bodies with these ids were stored, or dropped. */
  | { readonly kind: "done"; readonly ids: readonly string[] }
  | { readonly kind: "fault"; readonly reason: string }
  | { readonly kind: "closed" };

/**
 * The maximum size of queued bodies. Bodies beyond it are dropped, so that a busy gateway keeps its memory for calls.
 */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** The memory of a body besides its bytes. */
const OVERHEAD_BYTES = 1024;
/** The minimum interval between two reports of dropped bodies. */
const REPORT_MS = MINUTE_MS;

export type BodyQueue = ReturnType<typeof openBodyQueue>;

interface BodyQueueOptions {
  readonly dataFolder: string;
  readonly databaseUrl?: string | null | undefined;
  readonly secret: Uint8Array;
  readonly logFault: (where: string, error: unknown) => void;
}

/**
 * Stores bodies on a separate thread, which starts with the first of them. Calls never wait: a body that doesn't fit
 * into the queue is dropped and logged.
 */
export function openBodyQueue({ dataFolder, databaseUrl, secret, logFault }: BodyQueueOptions) {
  const store = databaseUrl ? { databaseUrl } : { path: buildDatabasePath(dataFolder) };
  const waitingById = new Map<string, number>();
  let waitingBytes = 0;
  let closing = Promise.withResolvers<void>();
  let thread: Worker | null = null;
  let lostCount = 0;
  let reportedAtMs = -Infinity;

  const lose = (reason: string) => {
    lostCount++;
    if (performance.now() - reportedAtMs < REPORT_MS) return;
    reportedAtMs = performance.now();
    logFault("bodies of calls", `${lostCount} were not kept: ${reason}`);
    lostCount = 0;
  };
  const removeWaiting = (id: string) => {
    waitingBytes -= waitingById.get(id) ?? 0;
    waitingById.delete(id);
  };
  const receive = (message: FromBodies) => {
    if (message.kind === "closed") closing.resolve();
    else if (message.kind === "fault") lose(message.reason);
    else message.ids.forEach(removeWaiting);
  };
  const end = (reason: string) => {
    thread?.terminate();
    thread = null;
    lose(reason);
    waitingById.clear();
    waitingBytes = 0;
    closing.resolve();
  };
  const start = () => {
    const worker = new Worker(new URL("./body-thread.ts", import.meta.url));
    closing = Promise.withResolvers();
    worker.onmessage = ({ data }: MessageEvent<FromBodies>) => receive(data);
    worker.onerror = ({ message }) => end(message);
    worker.postMessage({ kind: "open", store, secret } satisfies ToBodies);
    return worker;
  };
  return {
    keep(draft: BodyDraft): void {
      const bytes = countDraftBytes(draft);
      if (waitingBytes + bytes > MAX_WAITING_BYTES) return lose("too many wait to be written");
      thread ??= start();
      waitingById.set(draft.requestId, bytes);
      waitingBytes += bytes;
      thread.postMessage({ kind: "keep", draft } satisfies ToBodies, listBuffers(draft));
    },
    /** Whether a call's body is queued. */
    isWaiting: (requestId: string): boolean => waitingById.has(requestId),
    async close() {
      if (!thread) return;
      thread.postMessage({ kind: "close" } satisfies ToBodies);
      await closing.promise;
      thread?.terminate();
      thread = null;
    },
  };
}

function countDraftBytes({ request, reply }: BodyDraft): number {
  return OVERHEAD_BYTES + request.begin.byteLength + (reply?.begin.byteLength ?? 0);
}

function listBuffers({ request, reply }: BodyDraft): ArrayBuffer[] {
  return [request.begin.buffer, ...(reply ? [reply.begin.buffer] : [])];
}
