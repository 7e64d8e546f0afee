import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import * as zlib from "node:zlib";

const { createGunzip, createInflate, createBrotliDecompress } = zlib;
/** Bun has it; the types are those of the oldest Node.js that the console runs on. */
const { createZstdDecompress } = zlib as unknown as { createZstdDecompress: typeof createGunzip };

/** By content coding (RFC 9110, section 8.4.1). */
const unpackers = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * A provider's reply without the compression that nobody asked for, unpacked as it is read: a few kilobytes that stand for
 * gigabytes take no more memory than their reader gives them.
 * @throws Error for a coding that isn't known.
 */
export function decompress(reply: Response): Response {
  const coding = reply.headers.get("content-encoding")?.toLowerCase();
  if (!coding || coding === "identity" || !reply.body) return reply;
  const create = unpackers[coding as keyof typeof unpackers];
  if (!create) throw new Error(`The provider's reply is packed as "${coding}"`);
  const unpacked = create();
  // The last word is the reader's: what goes wrong on the way comes to it as the stream's own error.
  pipeline(Readable.fromWeb(reply.body as unknown as NodeReadableStream), unpacked, () => {});
  const headers = new Headers(reply.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(Readable.toWeb(unpacked) as unknown as ReadableStream, {
    status: reply.status,
    headers,
  });
}
