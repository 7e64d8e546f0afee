"use client";

/**
 * Reads a text file in UTF-8 or in UTF-16, which spreadsheets use for "Unicode text", by its byte order mark or its
 * zero bytes. A file that is neither is read as windows-1252, in which spreadsheets of western languages write CSV.
 */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder(detectEncoding(bytes), { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function detectEncoding([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? "utf-16be" : "utf-8";
}
