const signatures: readonly (readonly [type: string, start: string, at: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/webp", "WEBP", 8],
  ["image/gif", "GIF8", 0],
];

/** The media type of an image by its first bytes; null for anything else. */
export function imageTypeOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 16).toString("latin1");
  return signatures.find(([, start, at]) => head.startsWith(start, at))?.[0] ?? null;
}
