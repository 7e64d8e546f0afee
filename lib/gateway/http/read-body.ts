import { Refusal } from "../ports/refusal";

export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Reads a request's body whole, up to a limit.
 * @throws Refusal 413 as soon as more than `limit` bytes are announced or have come.
 */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  if (announced > limit) throw tooLarge(limit);
  if (!Number.isNaN(announced) || request.body === null) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(limit: number): Refusal {
  const message = `The body is larger than ${limit / 1024 / 1024} MiB.`;
  return new Refusal(413, "request_too_large", "request_too_large", message, { param: "body" });
}
