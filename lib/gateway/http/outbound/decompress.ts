import { pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import type { ServerReply } from "./server-reply";

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
