import { isObject } from "@/lib/contract/json-value";
import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";

const FLOAT_BYTES = 4;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Writes the vectors of a reply in this form. @returns whether any had another one. */
export function convertEmbeddings(reply: unknown, form: EmbeddingForm): boolean {
  if (!isObject(reply) || !Array.isArray(reply.data)) return false;
  let isConverted = false;
  for (const item of reply.data) {
    if (!isObject(item)) continue;
    const converted = form === "base64" ? packNumbers(item.embedding) : unpackNumbers(item.embedding);
    if (converted === null) continue;
    item.embedding = converted;
    isConverted = true;
  }
  return isConverted;
}

/** Null for anything but a list of numbers. */
function packNumbers(embedding: unknown): string | null {
  if (!Array.isArray(embedding) || !embedding.every((number) => typeof number === "number")) return null;
  const bytes = Buffer.alloc(embedding.length * FLOAT_BYTES);
  for (const [index, number] of embedding.entries()) bytes.writeFloatLE(number, index * FLOAT_BYTES);
  return bytes.toString("base64");
}

/** Null for anything but base64 of whole numbers of floats. */
function unpackNumbers(embedding: unknown): number[] | null {
  if (typeof embedding !== "string" || !BASE64.test(embedding)) return null;
  const bytes = Buffer.from(embedding, "base64");
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) return null;
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
}
