/** Whether a text is a JSON pointer (RFC 6901): `/data/0/url`, or nothing for the whole document. */
export function isJsonPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)*$/.test(text);
}

/** The value that a JSON pointer leads to (RFC 6901, section 4); undefined if there is none. */
export function readPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of pointer.split("/").slice(1)) {
    const token = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
