import { expect, test } from "bun:test";
import { splitText } from "./text-pieces";

test("code is cut between lines alone, prose also at spaces, and no character is lost", () => {
  const line = `${"word ".repeat(20)}\n`;
  const text = line.repeat(200);
  const pieces = splitText(text);
  expect(pieces.length).toBeGreaterThan(4);
  expect(pieces.join("\n")).toBe(text);
  expect(splitText("x".repeat(50_000))).toHaveLength(1);
  const prose = splitText("word ".repeat(10_000), { cutsLines: true });
  expect(prose.join(" ")).toBe("word ".repeat(10_000));
  expect(Math.max(...prose.map((piece) => piece.length))).toBeLessThan(6_001);
});

test("a line without a space is cut, though not within a character", () => {
  const pieces = splitText(`x${"🙂".repeat(10_000)}`, { cutsLines: true });
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join("")).toBe(`x${"🙂".repeat(10_000)}`);
  for (const piece of pieces) expect(new TextDecoder().decode(new TextEncoder().encode(piece))).toBe(piece);
});

test("blank lines stay within a piece, which would not show them at its edge", () => {
  const text = `${"a\n\n\nb\n".repeat(5_000)}`;
  for (const piece of splitText(text, { cutsLines: true })) {
    expect(piece.startsWith("\n")).toBe(false);
    expect(piece.endsWith("\n\n")).toBe(false);
  }
});

test("pieces stay as they are while text is appended", () => {
  const text = "Some words of a line\nand more of them, ".repeat(800);
  let before: string[] = [];
  for (let length = 0; length < text.length; length += 577) {
    const now = splitText(text.slice(0, length), { cutsLines: true });
    expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    before = now;
  }
});
