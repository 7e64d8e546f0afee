/** One member of a JSON object, as offsets into its text: the key with its quotes, and the value. */
interface Member {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

export interface ScannedObject {
  /** The members of the outermost object, in order. */
  readonly members: ReadonlyMap<string, Member>;
  /** The first key that occurs twice in the outermost object. */
  readonly duplicate: string | null;
  /** How many members all objects in the text have together. */
  readonly memberCount: number;
  /** The bound that the text exceeds; the text after that place was not scanned. */
  readonly excess: keyof JsonBounds | null;
}

/** Bounds for a text. A parser's time and memory depend on its entries far more than on its bytes. */
export interface JsonBounds {
  readonly depth: number;
  /** Commas and opening brackets outside strings: roughly the number of members, elements, objects and arrays. */
  readonly entries: number;
  /** Members of the outermost object. */
  readonly members: number;
}

const noBounds: JsonBounds = {
  depth: Number.POSITIVE_INFINITY,
  entries: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COLON, COMMA] = [0x3a, 0x2c];

/**
 * Finds the members of a JSON object, so that single values can be replaced in the text, and checks its bounds before a
 * parser builds anything. One pass. Offsets are correct for valid JSON; for other text only termination is guaranteed.
 */
export function scanObject(text: string, bounds: JsonBounds = noBounds): ScannedObject {
  const members = new Map<string, Member>();
  let duplicate: string | null = null;
  let depth = 0;
  let entries = 0;
  let memberCount = 0;
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;

  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = findStringEnd(text, index);
      if (depth === 1 && keyStart < 0) {
        keyStart = index;
        keyEnd = end;
      }
      index = end - 1;
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > bounds.depth) return { members, duplicate, memberCount, excess: "depth" };
      if (++entries > bounds.entries) return { members, duplicate, memberCount, excess: "entries" };
      continue;
    }
    const closes = code === CLOSE_BRACE || code === CLOSE_BRACKET;
    if (code === COMMA && ++entries > bounds.entries)
      return { members, duplicate, memberCount, excess: "entries" };
    if (code === COLON) {
      memberCount++;
      if (depth === 1 && valueStart < 0) valueStart = index + 1;
    }
    if (depth === 1 && (closes || code === COMMA) && valueStart >= 0 && keyStart >= 0) {
      const name = readKey(text, keyStart, keyEnd);
      if (members.has(name)) duplicate ??= name;
      members.set(name, {
        start: keyStart,
        valueStart: skipSpace(text, valueStart),
        end: findValueEnd(text, index),
      });
      if (members.size > bounds.members) return { members, duplicate, memberCount, excess: "members" };
      keyStart = -1;
      valueStart = -1;
    }
    if (closes) depth--;
  }
  return { members, duplicate, memberCount, excess: null };
}

/** The offset after a string's closing quote; the end of the text if it is not closed. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    return raw;
  }
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (isBlank(text.charCodeAt(index))) index++;
  return index;
}

function findValueEnd(text: string, before: number): number {
  let index = before;
  while (isBlank(text.charCodeAt(index - 1))) index--;
  return index;
}

/** Whether a character code is JSON white space (RFC 8259, section 2), including line ends. */
export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
