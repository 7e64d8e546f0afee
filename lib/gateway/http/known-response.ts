import { type BodyPieces, countBytes, joinPieces } from "./body-reader";
import { type PlainInit, PlainResponse } from "./plain-response";

/** How much of a body is handed over at once; the rest follows as the client reads. */
export const WRITTEN_BYTES = 256 * 1024;

const ignore = () => {};

/**
 * A reply whose body is in memory. A large one is sent piece by piece, since copying it whole would block the event
 * loop.
 */
export class KnownResponse extends PlainResponse {
  /** @param onTaken is called once the body is written or the client has left. */
  constructor(
    readonly pieces: BodyPieces,
    init: PlainInit,
    readonly onTaken: () => void = ignore,
  ) {
    super(init);
  }

  get bytesInAll(): number {
    return countBytes(this.pieces);
  }

  /** The body in parts that may be written at once. */
  *parts(): Generator<Uint8Array, undefined> {
    for (const piece of this.pieces)
      for (let start = 0; start < piece.byteLength; start += WRITTEN_BYTES)
        yield piece.subarray(start, start + WRITTEN_BYTES);
  }

  protected override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const parts = this.parts();
    const { onTaken } = this;
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const { done, value } = parts.next();
        if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
        controller.close();
        onTaken();
      },
      cancel: onTaken,
    });
  }
}

/** A reply with these bytes. `onTaken` as above; for a short body it is called at once. */
export function respondWith(pieces: BodyPieces, init: PlainInit, onTaken?: () => void): KnownResponse {
  if (countBytes(pieces) > WRITTEN_BYTES) return new KnownResponse(pieces, init, onTaken);
  onTaken?.();
  return new KnownResponse(pieces.length === 1 ? pieces : [joinPieces(pieces)], init);
}

/** A reply with an object as JSON. */
export function respondWithJson(
  value: unknown,
  { status, headers }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): KnownResponse {
  const type = { "content-type": "application/json;charset=utf-8" };
  return respondWithText(JSON.stringify(value), {
    headers: { ...type, ...headers },
    ...(status !== undefined && { status }),
  });
}

export function respondWithText(text: string, init: PlainInit): KnownResponse {
  return new KnownResponse([Buffer.from(text)], init);
}
