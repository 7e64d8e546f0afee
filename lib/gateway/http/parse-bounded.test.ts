import { expect, test } from "bun:test";
import { parseBounded, refuseBeyondBounds } from "./parse-bounded";

/** The text in pieces of this many bytes. */
function splitBytes(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const nestArray = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const wide = (entries: number) => `[${"0,".repeat(entries - 2)}0]`;

test("pieces are refused for the same depth and number of entries as the whole text", () => {
  const texts: [string, string | null][] = [
    [nestArray(256), null],
    [nestArray(257), "nested too deeply"],
    [wide(4_000_000), null],
    [wide(4_000_002), "too many entries"],
  ];
  for (const [text, excess] of texts) {
    const checks = [() => parseBounded(text), () => refuseBeyondBounds(splitBytes(text, 1_000))];
    for (const check of checks) {
      if (excess) expect(check).toThrow(excess);
      else expect(check).not.toThrow();
    }
  }
});

test("brackets and commas within strings don't count, wherever the text is cut", () => {
  const text = JSON.stringify({ content: `${"[{,".repeat(500)}\\"${"[".repeat(500)}\\`, after: [1] });
  for (const size of [1, 2, 3, 7, 64]) expect(() => refuseBeyondBounds(splitBytes(text, size))).not.toThrow();
});
