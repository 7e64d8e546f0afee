import { formatBytes } from "@/lib/contract/format-bytes";
import { parseReply } from "../http/json";
import type { ServerReply } from "../http/outbound/server-reply";
import { UnusableOutput } from "./media-client";

/** A complete reply that can't be used, or one that is longer than may be read. */
export class UnusableReply extends Error {}

/** A reply that is longer than may be read. */
export class ReplyTooLong extends UnusableReply {}

/** Reads a whole reply as JSON. @throws ReplyTooLong, or UnusableReply for anything that isn't JSON. */
export async function readJson(reply: ServerReply, maxBytes: number): Promise<unknown> {
  const { contentLength } = reply;
  if (contentLength !== null && contentLength > maxBytes) throw tooLong(maxBytes);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLong(maxBytes);
    pieces.push(piece);
  }
  try {
    return parseReply(Buffer.concat(pieces).toString());
  } catch {
    throw new UnusableReply("The provider sent a reply that is not JSON.");
  }
}

function tooLong(maxBytes: number): ReplyTooLong {
  return new ReplyTooLong(`The provider sent a reply of more than ${formatBytes(maxBytes)}.`);
}

/** A file as its bytes arrive. @throws UnusableOutput for an empty one, and beyond `maxBytes`. */
export async function* streamFile(
  reply: ServerReply,
  maxBytes: number,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new UnusableOutput(`The provider sent a file of more than ${formatBytes(maxBytes)}.`);
  let bytes = 0;
  try {
    if (reply.contentLength !== null && reply.contentLength > maxBytes) throw tooLarge();
    for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      yield piece;
    }
    if (bytes === 0) throw new UnusableOutput("The provider sent an empty file.");
  } finally {
    close();
  }
}
