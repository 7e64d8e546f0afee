/** Bytes from `start` to the one before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part of `bytes` bytes that the header Range asks for (RFC 9110, section 14). Null for all of it: without the header, for
 * several parts, and for what is no range. "unsatisfiable" where it begins behind the end.
 */
export function readByteRange(header: string | null, bytes: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = RANGE.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const suffix = Number(last);
    return suffix === 0 || bytes === 0 ? "unsatisfiable" : { start: Math.max(0, bytes - suffix), end: bytes };
  }
  const start = Number(first);
  const end = last === "" ? bytes : Math.min(Number(last) + 1, bytes);
  if (last !== "" && Number(last) < start) return null;
  return start >= bytes ? "unsatisfiable" : { start, end };
}
