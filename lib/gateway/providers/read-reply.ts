import type { ProviderReply } from "./provider-client";

/** Reads a whole reply as JSON. @throws Error beyond `maxBytes`, and for anything that isn't JSON. */
export async function readJson(reply: ProviderReply, maxBytes: number): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw new Error(`The provider sent more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** Streams a reply's bytes as they are read. Fails beyond `maxBytes`. */
export function streamOf(
  reply: ProviderReply,
  maxBytes: number,
  cancel: () => void,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await reply.read();
        if (piece === null) return controller.close();
        bytes += piece.byteLength;
        if (bytes > maxBytes) {
          cancel();
          throw new Error(`The provider sent more than ${maxBytes} bytes`);
        }
        controller.enqueue(piece);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}
