import { pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import type { ProviderReply } from "./provider-client";

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
export function decompress(reply: ProviderReply): ProviderReply {
  const coding = reply.header("content-encoding")?.toLowerCase();
  if (!coding || coding === "identity") return reply;
  const create = unpackers[coding as keyof typeof unpackers];
  if (!create) throw new Error(`The provider's reply is packed as "${coding}"`);
  const unpacked = create();
  // The last word is the reader's: what goes wrong on the way comes to it as the stream's own error.
  pipeline(Readable.from(piecesOf(reply), { highWaterMark: 1 }), unpacked, () => {});
  const pieces = unpacked[Symbol.asyncIterator]();
  return {
    status: reply.status,
    announced: null,
    header: (name) => (name.startsWith("content-") && name !== "content-type" ? null : reply.header(name)),
    async read() {
      const { done, value } = await pieces.next();
      return done ? null : (value as Buffer<ArrayBuffer>);
    },
  };
}

async function* piecesOf(reply: ProviderReply): AsyncGenerator<Uint8Array> {
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) yield piece;
}
