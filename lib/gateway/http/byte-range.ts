/** Bytes from `start` up to, but not including, `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part of a file that the header `Range` asks for (RFC 9110, section 14). Null for the whole file: without the
 * header, for several ranges, and for an invalid one. "unsatisfiable" if the range begins after the end.
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
