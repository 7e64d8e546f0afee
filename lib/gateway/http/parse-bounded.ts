import { type JsonBounds, scanObject } from "./scan-json";

/** More than any real reply has, and few enough to bound a parser's time and memory. */
const bounds: JsonBounds = { depth: 256, entries: 4_000_000, members: 1_000 };

/**
 * Parses a provider's reply.
 * @throws Error for invalid JSON, and for a text that is nested too deeply or has too many members.
 */
export function parseBounded(text: string): unknown {
  const { excess } = scanObject(text, bounds);
  if (excess) throw new Error(`It is beyond what is read: too great a number of ${excess}`);
  return JSON.parse(text);
}
