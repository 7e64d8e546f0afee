import { expect, test } from "bun:test";
import { readTextFile } from "./read-text-file";

const text = "date\tmodel\nété\t日本";
const units = Uint16Array.from(`\uFEFF${text}`, (character) => character.charCodeAt(0));

test.each([
  ["UTF-8", new TextEncoder().encode(text)],
  ["UTF-8 with a byte order mark", new TextEncoder().encode(`\uFEFF${text}`)],
  ["little-endian UTF-16", new Uint8Array(units.buffer)],
  ["big-endian UTF-16", new Uint8Array(units.buffer.slice(0)).map((_, index, all) => all[index ^ 1] ?? 0)],
])("reads %s without its mark", async (_encoding, bytes) => {
  expect(await readTextFile(new Blob([bytes]))).toBe(text);
});

test.each([
  ["little-endian", 0],
  ["big-endian", 1],
])("reads %s UTF-16 without a byte order mark", async (_order, firstByte) => {
  const bytes = new Uint8Array(text.length * 2);
  for (const [index, letter] of [...text].entries()) {
    const unit = letter.charCodeAt(0);
    bytes.set(firstByte === 0 ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff], index * 2);
  }
  expect(await readTextFile(new Blob([bytes]))).toBe(text);
});

test("reads a file that isn't Unicode as windows-1252", async () => {
  const bytes = Uint8Array.from([..."M\u00fcller; 5 \u20ac"], (letter) =>
    letter === "\u20ac" ? 0x80 : letter.charCodeAt(0),
  );
  expect(await readTextFile(new Blob([bytes]))).toBe("M\u00fcller; 5 \u20ac");
});
