import type { IncomingRequest } from "../incoming-request";

/** Reads a request's whole body, however long or slow it is. Rejects if it breaks off. */
export async function readBody({
  received,
  body,
}: Pick<IncomingRequest, "received" | "body">): Promise<Uint8Array<ArrayBuffer>> {
  if (received) return received;
  const pieces: Uint8Array[] = [];
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    if (next.value) pieces.push(next.value);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
