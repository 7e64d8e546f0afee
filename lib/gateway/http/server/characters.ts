/** The classes of characters in a request's head (RFC 9110, section 5; RFC 9112, section 3), as bits. */
export const TOKEN = 1;
/** A space, a tab, a visible character, or a byte above 0x7f. */
export const VALUE = 2;
/** A visible ASCII character that may stand in a request's target. A fragment never does. */
export const TARGET = 4;
export const BLANK = 8;

export const [LF, CR, SPACE, COLON, SEMICOLON] = [0x0a, 0x0d, 0x20, 0x3a, 0x3b];

const classes = new Uint8Array(256);
for (let code = 0; code < 256; code++) {
  const text = String.fromCharCode(code);
  if (/[!#$%&'*+.^_`|~\w-]/.test(text)) classes[code] = (classes[code] ?? 0) | TOKEN;
  if (/[\t\x20-\x7e\x80-\xff]/.test(text)) classes[code] = (classes[code] ?? 0) | VALUE;
  if (/[\x21\x22\x24-\x7e]/.test(text)) classes[code] = (classes[code] ?? 0) | TARGET;
  if (text === " " || text === "\t") classes[code] = (classes[code] ?? 0) | BLANK;
}

/** Whether a byte is in the class. */
export function isInClass(code: number, kind: number): boolean {
  return ((classes[code] ?? 0) & kind) !== 0;
}

/** @returns the offset of the first byte from `at` on that is not in the class, or the end. */
export function skip(bytes: Uint8Array, at: number, kind: number): number {
  const end = bytes.length;
  let next = at;
  while (next < end && ((classes[bytes[next] ?? 0] ?? 0) & kind) !== 0) next++;
  return next;
}

/** Hoisted: a literal in the function would be compiled on every call. */
const NOT_IN_VALUES = /[^\t\x20-\x7e\x80-\xff]/;

/** Whether text may be a header's value. */
export function isValue(text: string): boolean {
  return !NOT_IN_VALUES.test(text);
}

/** Whether text may be a header's name. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}
