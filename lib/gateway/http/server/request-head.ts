import type { RequestHeaders } from "../../incoming-request";
import { BLANK, COLON, CR, LF, SPACE, skip, TARGET, TOKEN, VALUE } from "./characters";
import { headTooLarge, malformedRequest } from "./malformed-request";

/** The most that the request line and all headers have together. */
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_FIELDS = 100;
const VERSION_BYTES = "HTTP/1.1".length;
/** Offsets of a field: start of its name, colon, start and end of its value. */
const OFFSETS = 4;
const WRONG_LINE =
  "The request line is malformed. Send a method, a path and HTTP/1.1, separated by single spaces.";

interface FieldVisitor {
  visit(name: string, value: string): void;
}

/** The request line and the headers of a request, checked character by character. */
export class RequestHead implements RequestHeaders {
  /** @param text the head as Latin-1. @param fields the offsets of its fields, four for each. */
  constructor(
    readonly method: string,
    readonly target: string,
    readonly isHttp11: boolean,
    /** The size of the head with its empty line. */
    readonly bytes: number,
    private readonly text: string,
    private readonly fields: readonly number[],
  ) {}

  get(name: string): string | null {
    const lowerName = name.toLowerCase();
    let foundValue: string | null = null;
    for (let at = 0; at < this.fields.length; at += OFFSETS) {
      if (!this.#isNamed(at, lowerName)) continue;
      const value = this.#valueAt(at);
      foundValue = foundValue === null ? value : `${foundValue}, ${value}`;
    }
    return foundValue;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** Hands over each field whose name has one of these lengths, with its name in lower case. */
  each(lengths: ReadonlySet<number>, visitor: FieldVisitor): void {
    for (let at = 0; at < this.fields.length; at += OFFSETS) {
      const start = this.fields[at] ?? 0;
      const colon = this.fields[at + 1] ?? 0;
      if (lengths.has(colon - start))
        visitor.visit(this.text.slice(start, colon).toLowerCase(), this.#valueAt(at));
    }
  }

  #isNamed(at: number, name: string): boolean {
    const start = this.fields[at] ?? 0;
    const colon = this.fields[at + 1] ?? 0;
    if (colon - start !== name.length) return false;
    // Most names of one length differ in their first letter.
    if ((this.text.charCodeAt(start) | 0x20) !== (name.charCodeAt(0) | 0x20)) return false;
    return this.text.slice(start, colon).toLowerCase() === name;
  }

  #valueAt(at: number): string {
    return this.text.slice(this.fields[at + 2], this.fields[at + 3]);
  }
}

/**
 * Reads the head that begins at `start` (RFC 9112, sections 2 to 5). Lines end with CRLF and nothing else.
 * @returns null if it is incomplete so far. Everything that did arrive is valid then.
 * @throws Refusal 400, 414, 431 or 505.
 */
export function readHead(bytes: Buffer, start: number): RequestHead | null {
  const methodEnd = skip(bytes, start, TOKEN);
  const targetEnd = skip(bytes, methodEnd + 1, TARGET);
  const fields: number[] = [];
  const end = isLineRead(bytes, start, methodEnd, targetEnd)
    ? readFields(bytes, start, targetEnd + 1 + VERSION_BYTES + 2, fields)
    : -1;
  if ((end < 0 ? bytes.length : end) - start > MAX_HEAD_BYTES) throw tooLarge(bytes, start);
  if (end < 0) return null;
  const text = bytes.toString("latin1", start, end);
  const method = text.slice(0, methodEnd - start);
  const target = text.slice(methodEnd + 1 - start, targetEnd - start);
  const isHttp11 = text.charCodeAt(targetEnd + VERSION_BYTES - start) === 0x31;
  return new RequestHead(method, target, isHttp11, end - start, text, fields);
}

/** @returns false if incomplete. @throws Refusal if it isn't a request line. */
function isLineRead(bytes: Buffer, start: number, methodEnd: number, targetEnd: number): boolean {
  if (methodEnd >= bytes.length) return false;
  if (methodEnd === start || bytes[methodEnd] !== SPACE) throw malformedRequest(WRONG_LINE);
  if (targetEnd >= bytes.length) return false;
  if (targetEnd === methodEnd + 1 || bytes[targetEnd] !== SPACE) throw malformedRequest(WRONG_LINE);
  const version = targetEnd + 1;
  if (bytes.length < version + VERSION_BYTES + 2) return false;
  const text = bytes.toString("latin1", version, version + VERSION_BYTES + 2);
  if (text === "HTTP/1.1\r\n" || text === "HTTP/1.0\r\n") return true;
  if (/^HTTP\/\d\.\d\r\n$/.test(text))
    throw malformedRequest(
      "The gateway supports HTTP/1.1 and HTTP/1.0 only. Send one of these versions.",
      505,
    );
  throw malformedRequest(WRONG_LINE);
}

/** @returns the offset after the empty line; -1 if it has not arrived. */
function readFields(bytes: Buffer, start: number, from: number, fields: number[]): number {
  for (let at = from; ; ) {
    if (bytes[at] === CR) return isLineEnd(bytes, at) ? at + 2 : -1;
    const colon = skip(bytes, at, TOKEN);
    if (colon >= bytes.length) return -1;
    if (colon === at || bytes[colon] !== COLON)
      throw malformedRequest("A header line is malformed. Send each header as name: value.");
    const valueStart = skip(bytes, colon + 1, BLANK);
    const valueEnd = skip(bytes, valueStart, VALUE);
    if (!isLineEnd(bytes, valueEnd)) return -1;
    if (fields.length === MAX_FIELDS * OFFSETS)
      throw headTooLarge(`The request has more than ${MAX_FIELDS} headers. Send fewer.`, 431);
    let last = valueEnd;
    while (last > valueStart && (bytes[last - 1] ?? 0) <= SPACE) last--;
    fields.push(at - start, colon - start, valueStart - start, last - start);
    at = valueEnd + 2;
  }
}

/** @returns false if the line's end has not arrived. @throws Refusal if the line goes on with something else. */
function isLineEnd(bytes: Buffer, at: number): boolean {
  const end = bytes.length;
  if (at >= end) return false;
  if (bytes[at] !== CR || (at + 1 < end && bytes[at + 1] !== LF))
    throw malformedRequest(
      "A header contains an invalid character, or its line doesn't end with CRLF. Remove the character, or end the line with CRLF.",
    );
  return at + 1 < end;
}

function tooLarge(bytes: Buffer, start: number) {
  const lineEnd = bytes.indexOf("\r\n", start);
  const isTarget = lineEnd < 0 || lineEnd - start > MAX_HEAD_BYTES;
  const what = isTarget ? "address" : "head";
  const message = `The request's ${what} is longer than ${MAX_HEAD_BYTES / 1024} KiB. Send a shorter one.`;
  return headTooLarge(message, isTarget ? 414 : 431);
}
