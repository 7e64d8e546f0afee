import type { BodyPieces } from "./body-reader";

/** How much is written at once; the rest follows as the client reads. */
const WRITTEN_BYTES = 256 * 1024;

/**
 * A reply whose large body is already in memory. It is sent piece by piece, since copying it whole would block the event
 * loop.
 */
export class ChunkedResponse extends Response {
  /** @param onTaken is called once the body is written or the client has left. */
  constructor(
    readonly pieces: BodyPieces,
    init: ResponseInit,
    readonly onTaken: () => void,
  ) {
    super(streamOf(pieces, onTaken), init);
  }
}

/** A reply with these bytes; copied whole where they are few. `onTaken` as above. */
export function respondWith(pieces: BodyPieces, init: ResponseInit, onTaken: () => void): Response {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size > WRITTEN_BYTES) return new ChunkedResponse(pieces, init, onTaken);
  onTaken();
  const [only] = pieces;
  return new Response(
    pieces.length === 1 && only ? (only as Uint8Array<ArrayBuffer>) : Buffer.concat(pieces),
    init,
  );
}

function streamOf(pieces: BodyPieces, onTaken: () => void): ReadableStream<Uint8Array> {
  const parts = partsOf(pieces);
  return new ReadableStream({
    pull(controller) {
      const { done, value } = parts.next();
      if (!done) return controller.enqueue(value);
      controller.close();
      onTaken();
    },
    cancel: onTaken,
  });
}

function* partsOf(pieces: BodyPieces): Generator<Uint8Array, undefined> {
  for (const piece of pieces)
    for (let start = 0; start < piece.byteLength; start += WRITTEN_BYTES)
      yield piece.subarray(start, start + WRITTEN_BYTES);
}
