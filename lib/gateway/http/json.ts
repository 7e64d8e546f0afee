import type { BodyBounds } from "@/lib/contract/operation";
import { invalid, type Refusal } from "../refusal";
import { type BodyPieces, compressedBody } from "./body-reader";

/** A JSON object with its source text. */
export interface JsonObject {
  readonly text: string;
  readonly scanned: ScannedObject;
  readonly value: Record<string, unknown>;
}

const MAX_DEPTH = 64;
/** The most fields of the outermost object; no request has this many. */
const MAX_MEMBERS = 1_000;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Parses a JSON object from the bytes of a request.
 * @throws Refusal 400 for invalid UTF-8, invalid JSON, anything but an object, a field that appears twice in an object,
 * nesting deeper than 64, and more entries than `bounds` allow.
 */
export function parseJsonObject(bytes: Uint8Array, bounds: Pick<BodyBounds, "entries">): JsonObject {
  const text = decode(bytes);
  if (text.trim() === "") throw invalid("body", "The body is empty; send a JSON object.", "invalid_json");
  // Scanned before parsing, since such bodies attack a parser's recursion and memory.
  const { entries } = bounds;
  const scanned = scanObject(text, { depth: MAX_DEPTH, entries, members: MAX_MEMBERS });
  if (scanned.excess !== null) throw describeExcess(scanned.excess, entries);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("body", "The body must be a JSON object.", "invalid_json");
  }
  if (scanned.duplicate !== null) {
    throw invalid(scanned.duplicate, `"${scanned.duplicate}" appears twice in the body; send it once.`);
  }
  // Parsers differ in which of two they take, so what is checked could differ from what a provider reads.
  if (countMembers(value) < scanned.memberCount) throw repeatedWithin();
  return { text, scanned, value: value as Record<string, unknown> };
}

/** How many members an object and all objects in it have. Where a name occurs twice, the parser has left one. */
function countMembers(value: object): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const inner of value) if (typeof inner === "object" && inner !== null) count += countMembers(inner);
    return count;
  }
  for (const name in value) {
    count++;
    const inner: unknown = (value as Record<string, unknown>)[name];
    if (typeof inner === "object" && inner !== null) count += countMembers(inner);
  }
  return count;
}

function repeatedWithin(): Refusal {
  return invalid("body", "An object within the body has the same field twice. Send each field once.");
}

function describeExcess(excess: keyof JsonBounds, entries: number): Refusal {
  if (excess === "depth")
    return invalid(
      "body",
      `The body is nested deeper than ${MAX_DEPTH} levels. Send fewer levels.`,
      "too_deep",
    );
  const message =
    excess === "members"
      ? `The body has more than ${MAX_MEMBERS} fields.`
      : `The body has more than ${entries} entries, counting every member, element, object and array in it.`;
  return invalid("body", `${message} Send fewer.`, "too_many_entries");
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    if (isGzip(bytes)) throw compressedBody("gzip");
    throw invalid("body", "The body is not valid UTF-8. Encode it as UTF-8.", "invalid_utf8");
  }
}

/** Recognizes gzip without its header by its first two bytes (RFC 1952, 2.3.1), which are not UTF-8. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "unreadable";
    throw invalid("body", `The body is not JSON: ${reason}.`, "invalid_json");
  }
}

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
interface JsonBounds {
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

/** Writes an object as one that was read, without scanning what was just written. */
export function writeJsonObject(value: Readonly<Record<string, unknown>>): JsonObject {
  const members = new Map<string, Member>();
  let text = "{";
  for (const name in value) {
    const json = JSON.stringify(value[name]);
    if (json === undefined) continue;
    if (members.size > 0) text += ",";
    const start = text.length;
    text += `${JSON.stringify(name)}:`;
    const valueStart = text.length;
    text += json;
    members.set(name, { start, valueStart, end: text.length });
  }
  const scanned = { members, duplicate: null, memberCount: members.size, excess: null };
  return { text: `${text}}`, scanned, value };
}

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

/** A value to set in the outermost object, as JSON text; null removes the member. */
type Changes = ReadonlyMap<string, string | null>;

/**
 * Sets or removes members of a JSON object in its text; every other byte stays. New members are appended.
 * The members are those of `scanObject` for this same text, without duplicates.
 */
export function spliceObject(text: string, { members }: ScannedObject, changes: Changes): string {
  if (changes.size === 0) return text;
  let result = "";
  let copiedUntil = 0;
  let memberCount = 0;
  let end = text.indexOf("{") + 1;
  for (const [name, member] of members) {
    // If no member is left before it, the comma after the removed member is removed instead.
    if (memberCount === 0 && copiedUntil > 0) copiedUntil = member.start;
    const change = changes.get(name);
    if (change === undefined) memberCount++;
    else {
      // The comma before a removed member is removed with it.
      const cutAt = change !== null ? member.valueStart : memberCount === 0 ? member.start : end;
      if (cutAt > copiedUntil) result += text.slice(copiedUntil, cutAt);
      if (change !== null) {
        result += change;
        memberCount++;
      }
      copiedUntil = member.end;
    }
    end = member.end;
  }
  let newMembers = "";
  for (const [name, change] of changes) {
    if (change === null || members.has(name)) continue;
    newMembers += `${memberCount++ > 0 ? "," : ""}${JSON.stringify(name)}:${change}`;
  }
  if (newMembers === "") return result + text.slice(copiedUntil);
  return result + (end > copiedUntil ? text.slice(copiedUntil, end) : "") + newMembers + text.slice(end);
}

/** No real reply has this many, and they are few enough to bound a parser's time and memory. */
const replyBounds: JsonBounds = { depth: 256, entries: 4_000_000, members: 1_000 };

/** Parses a provider's JSON, and ignores the byte order mark that some servers write before it (RFC 8259, 8.1). */
export function parseReply(text: string): unknown {
  return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/**
 * Parses a provider's reply, as `parseReply` does.
 * @throws Error for invalid JSON, and for a text that is nested too deeply or has too many members.
 */
export function parseBounded(text: string): unknown {
  const { excess } = scanObject(text, replyBounds);
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
        if (++depth > replyBounds.depth) throw beyond("depth");
        entries++;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
      else if (code === COMMA) entries++;
    }
    if (entries > replyBounds.entries) throw beyond("entries");
  }
}

function beyond(excess: keyof JsonBounds): Error {
  return new Error(excess === "depth" ? "It is nested too deeply" : `It has too many ${excess}`);
}

/** Text without the byte order mark that some servers write before it. */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? (bytes.subarray(3) as Bytes) : bytes;
}
