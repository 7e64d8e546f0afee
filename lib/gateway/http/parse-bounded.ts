import type { BodyPieces } from "./body-reader";
import { type JsonBounds, scanObject } from "./scan-json";

/** No real reply has this many, and they are few enough to bound a parser's time and memory. */
const bounds: JsonBounds = { depth: 256, entries: 4_000_000, members: 1_000 };
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Parses a provider's JSON, and ignores the byte order mark that some servers write before it (RFC 8259, 8.1). */
export function parseReply(text: string): unknown {
  return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/**
 * Parses a provider's reply, as `parseReply` does.
 * @throws Error for invalid JSON, and for a text that is nested too deeply or has too many members.
 */
export function parseBounded(text: string): unknown {
  const { excess } = scanObject(text, bounds);
  if (excess) throw beyond(excess);
  return parseReply(text);
}

/**
 * Checks the depth and the number of entries before the pieces are joined, since joining and decoding a long reply
 * costs more than this.
 * @throws Error as `parseBounded` does.
 */
export function refuseBeyondBounds(pieces: BodyPieces): void {
  let depth = 0;
  let entries = 0;
  let isString = false;
  let isEscaped = false;
  for (const piece of pieces) {
    for (let index = 0; index < piece.length; index++) {
      const code = piece[index];
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === QUOTE) isString = false;
        else if (code === BACKSLASH) isEscaped = true;
      } else if (code === QUOTE) isString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (++depth > bounds.depth) throw beyond("depth");
        entries++;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
      else if (code === COMMA) entries++;
    }
    if (entries > bounds.entries) throw beyond("entries");
  }
}

function beyond(excess: keyof JsonBounds): Error {
  return new Error(excess === "depth" ? "It is nested too deeply" : `It has too many ${excess}`);
}
