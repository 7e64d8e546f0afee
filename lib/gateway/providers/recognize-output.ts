import type { MediaFamily } from "@/lib/contract/calls/model-families";
import { type OpenedFile, UnusableOutput } from "./media-client";
import { detectMediaType, formatNames, HEAD_BYTES } from "./media-type";

/**
 * Finds the type of a file from its first bytes, whatever the provider says about it.
 * @throws UnusableOutput for anything that isn't a file of the family.
 */
export async function recognizeOutput(
  family: MediaFamily,
  bytes: AsyncIterable<Uint8Array>,
): Promise<OpenedFile> {
  const pieces = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { done, value } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const mimeType = detectMediaType(family, head);
  if (mimeType === null) {
    await pieces.return?.();
    throw new UnusableOutput(`The provider sent a file that is no ${formatNames[family]}.`);
  }
  return { mimeType, bytes: joinHead(head, pieces) };
}

async function* joinHead(head: Uint8Array, remainder: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await remainder.next(); !next.done; next = await remainder.next()) yield next.value;
  } finally {
    await remainder.return?.();
  }
}
