import { pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";

/** A body that is read while it is sent, such as a form with a file. */
export interface StreamedBody {
  readonly contentType: string;
  readonly bytes: number;
  /** Returns the bytes from the beginning. Called for each attempt. */
  read(): AsyncIterable<Uint8Array>;
}

export type RequestBody = string | Uint8Array<ArrayBuffer> | StreamedBody;

export function isStreamed(body: RequestBody): body is StreamedBody {
  return typeof body !== "string" && !(body instanceof Uint8Array);
}

/** A server's reply: its head, and its body as it arrives. */
export interface ServerReply {
  readonly status: number;
  /** The announced length of the body; null without one. */
  readonly contentLength: number | null;
  /** The value of a header; null if there is none. @param name in lower case. */
  header(name: string): string | null;
  /**
   * The part of the body that arrived since the last read, or the next part; null at the end. One read at a time:
   * unread data stays with the server. Rejects when the connection breaks or the request is canceled.
   */
  read(): Uint8Array<ArrayBuffer> | null | Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Whether a reply says that it is a stream of events. */
export function isStreamOfEvents(reply: Pick<ServerReply, "header">): boolean {
  return reply.header("content-type")?.includes("event-stream") ?? false;
}

/** A request that was sent. */
export interface SentRequest {
  /** Resolves as soon as the reply's head arrives, whatever its status. Rejects if no reply arrives. */
  readonly reply: Promise<ServerReply>;
  /** Cancels the request in any state; does nothing once the reply has ended. */
  cancel(): void;
}

/** A reply that is being read. */
interface OpenReply {
  readonly reply: ServerReply;
  /** Ends the request; has no effect on a reply that was read to its end. */
  close(): void;
}

/**
 * Sends a request whose reply is read until its caller closes it, or until `signal` aborts.
 * @throws the signal's reason if it is aborted already, or the connection's error.
 */
export async function openReply(send: () => SentRequest, signal: AbortSignal): Promise<OpenReply> {
  signal.throwIfAborted();
  const request = send();
  const cancel = () => request.cancel();
  const close = () => {
    signal.removeEventListener("abort", cancel);
    cancel();
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return { reply: await request.reply, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Sends a request and reads its reply, until `signal` aborts. What `read` leaves of the reply is not awaited.
 * @throws the signal's reason, the connection's error, or what `read` throws.
 */
export async function withReply<Result>(
  send: () => SentRequest,
  signal: AbortSignal,
  read: (reply: ServerReply) => Promise<Result>,
): Promise<Result> {
  const { reply, close } = await openReply(send, signal);
  try {
    return await read(reply);
  } finally {
    close();
  }
}

/** A request whose reply is a `Response`, from `fetch` or from the sandbox. */
export class RespondedRequest implements SentRequest {
  readonly #abort = new AbortController();
  readonly reply: Promise<ServerReply>;

  constructor(respond: (signal: AbortSignal) => Promise<Response>) {
    this.reply = respond(this.#abort.signal).then((response) => decompress(toReply(response)));
  }

  cancel(): void {
    this.#abort.abort();
  }
}

function toReply({ status, headers, body }: Response): ServerReply {
  const reader = body?.getReader();
  const length = headers.get("content-length");
  return {
    status,
    contentLength: length === null ? null : Number(length),
    header: (name) => headers.get(name),
    async read() {
      const next = await reader?.read();
      return next?.value ?? null;
    },
  };
}

const { createGunzip, createInflate, createBrotliDecompress } = zlib;
/** Bun supports it; the types are those of the oldest supported Node.js. */
const { createZstdDecompress } = zlib as unknown as { createZstdDecompress: typeof createGunzip };

/** Keyed by content coding (RFC 9110, section 8.4.1). */
const unpackers = new Map<string, () => ReturnType<typeof createGunzip>>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/**
 * Decompresses a reply that is compressed although nobody asked for it. It decompresses as the reader reads, so that a
 * decompression bomb takes no more memory than the reader allows.
 * @throws Error for an unknown coding.
 */
export function decompress(reply: ServerReply): ServerReply {
  const coding = reply.header("content-encoding")?.toLowerCase();
  if (!coding || coding === "identity") return reply;
  const create = unpackers.get(coding);
  if (!create) throw new Error(`The server's reply is packed as "${coding}"`);
  const unpacker = create();
  // The reader receives this error from the stream itself.
  pipeline(Readable.from(readPieces(reply), { highWaterMark: 1 }), unpacker, () => {});
  const pieces = unpacker[Symbol.asyncIterator]();
  return {
    status: reply.status,
    contentLength: null,
    header: (name) => (name.startsWith("content-") && name !== "content-type" ? null : reply.header(name)),
    async read() {
      const { done, value } = await pieces.next();
      return done ? null : (value as Buffer<ArrayBuffer>);
    },
  };
}

async function* readPieces(reply: ServerReply): AsyncGenerator<Uint8Array> {
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) yield piece;
}
