/** A dot segment, once or twice encoded. URL parsers take the first form for `.` or `..`, and change the path. */
const ENCODED_DOTS = /^(?:%(?:25)?2e){1,2}$/i;

/** Encodes an id as one segment of a path. Dots alone are encoded twice, since clients would resolve them. */
export function encodeSegment(id: string): string {
  return /^\.{1,2}$/.test(id) ? id.replaceAll(".", "%252E") : encodeURIComponent(id);
}

/** The id that a segment of a path names; null for an invalid encoding, such as `%ff`. */
export function decodeSegment(segment: string): string | null {
  if (ENCODED_DOTS.test(segment)) return segment.replace(/%(?:25)?2e/gi, ".");
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The id with slashes that segments name, or null. */
export function decodeSegments(path: string): string | null {
  const segments = path.split("/").map(decodeSegment);
  return segments.includes(null) ? null : segments.join("/");
}

/** Whether an id can be written into a path, encoded or not, without that any client or proxy changes it. */
export function fitsPath(id: string): boolean {
  return id.split("/").every((part) => !/^(?:\.|%2e){0,2}$/i.test(part));
}
