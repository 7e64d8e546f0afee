const DELTA_WITH_TEXT = Buffer.from('"delta":{"content":"');
const FINISH_REASON = Buffer.from('"finish_reason"');
const KEY_BYTES = '"delta":'.length;
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5c, 0x7b, 0x7d];
const [LF, CR, SPACE, COLON] = [0x0a, 0x0d, 0x20, 0x3a];
const [LETTER_D, LETTER_N, LETTER_U] = [0x64, 0x6e, 0x75];
/** Where data can begin: after `data:`, with or without a space. */
const DATA_STARTS = [5, 6];
/** The chunk, its choice and its delta. A chunk with more objects is parsed as JSON. */
const OBJECTS = 3;

/** The position of an event's text. */
interface PlainDelta {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the text in a chunk without parsing, if the chunk has one choice with only content in its delta, and no other
 * object: a second delta, an error or a usage would need another brace. Null for any other event, and for a text with
 * `\u` escapes: those are parsed as JSON.
 */
export function findPlainDelta(event: Buffer): PlainDelta | null {
  const first = event.indexOf(OPEN_BRACE);
  if (!DATA_STARTS.includes(first) || event[0] !== LETTER_D) return null;
  let brace = first;
  for (let count = 1; count < OBJECTS; count++) {
    brace = event.indexOf(OPEN_BRACE, brace + 1);
    if (brace < 0) return null;
  }
  const delta = event.indexOf(DELTA_WITH_TEXT);
  if (delta < 0 || brace !== delta + KEY_BYTES) return null;
  const start = delta + DELTA_WITH_TEXT.length;
  const end = findTextEnd(event, start);
  if (event[end + 1] !== CLOSE_BRACE || event.indexOf(OPEN_BRACE, end) >= 0) return null;
  if (hasUnicodeEscape(event, event.indexOf(BACKSLASH, start), end)) return null;
  return endsInBrace(event) ? { start, end } : null;
}

/** Whether a chunk may have a finish reason: a key of that name whose value is neither null nor an empty text. */
export function mayBeFinished(event: Buffer): boolean {
  let at = event.indexOf(FINISH_REASON);
  if (at < 0) return false;
  at += FINISH_REASON.length;
  while (event[at] === COLON || event[at] === SPACE) at++;
  return event[at] !== LETTER_N && !(event[at] === QUOTE && event[at + 1] === QUOTE);
}

/**
 * Whether a text up to `end` has a character that is written as `\u` and its code.
 * @param first the place of the text's first backslash; -1 if it has none.
 */
export function hasUnicodeEscape(bytes: Uint8Array, first: number, end: number): boolean {
  for (let at = first; at >= 0 && at < end; at = bytes.indexOf(BACKSLASH, at + 2))
    if (bytes[at + 1] === LETTER_U) return true;
  return false;
}

function endsInBrace(event: Buffer): boolean {
  let last = event.length - 1;
  while (event[last] === LF || event[last] === CR) last--;
  return event[last] === CLOSE_BRACE;
}

function findTextEnd(event: Buffer, start: number): number {
  for (let end = event.indexOf(QUOTE, start); end >= 0; end = event.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (event[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return event.length;
}
