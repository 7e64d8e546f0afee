import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutText } from "./cut-text";

test("the pieces are the text, none is long, and none ends within a character", () => {
  const text = fc.array(
    fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("é".repeat(300)), fc.constant("🙂".repeat(200))),
  );
  const seed = Date.now() % 2 ** 31;
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join(" ");
      const pieces = [...cutText(whole)];
      expect([seed, pieces.join("")]).toEqual([seed, whole]);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(256);
        expect(Buffer.from(piece).toString()).toBe(piece);
      }
    }),
    { seed },
  );
});

test("a piece ends before a space, so that no word is cut", () => {
  const words = "some words of prose ".repeat(100);
  for (const piece of [...cutText(words)].slice(1)) expect(piece.startsWith(" ")).toBe(true);
});
