import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { computeMaxTextBytes } from "./text-tokens";

const marks = fc.constantFrom(
  "\u0301",
  "\u0323",
  "\u0327",
  "é",
  "ộ",
  "ﷺ",
  "각",
  "ᄒ",
  "ᅡ",
  "ᆫ",
  "㍿",
  "𝅘𝅥𝅮",
  "🉀",
  "a",
  "😀",
);
const texts = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: marks }));

test("no text in a normal form is longer than the stated bound", () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const form of ["NFC", "NFKC"])
        expect(computeMaxTextBytes(text)).toBeGreaterThanOrEqual(Buffer.byteLength(text.normalize(form)));
      expect(computeMaxTextBytes(text)).toBeGreaterThanOrEqual(Buffer.byteLength(text));
    }),
    { numRuns: 3_000 },
  );
});

test("the estimate for common text is close to its length", () => {
  for (const text of ["plain", "長さを測る", "길이를 잰다", "😀😀"])
    expect([text, computeMaxTextBytes(text)]).toEqual([text, Buffer.byteLength(text)]);
  expect(computeMaxTextBytes("Größe é")).toBeLessThanOrEqual(12);
});

test("marks on marks are counted, not put in order", () => {
  expect(computeMaxTextBytes("\u0323\u0301".repeat(5_000_000))).toBe(20_000_000);
});
