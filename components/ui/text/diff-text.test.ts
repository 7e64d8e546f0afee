import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { diffWords } from "./diff-text";

test("marks same, removed and added words", () => {
  expect(diffWords("one two three", "one three four")).toEqual([
    { kind: "same", text: "one " },
    { kind: "removed", text: "two " },
    { kind: "same", text: "three" },
    { kind: "added", text: " four" },
  ]);
  expect(diffWords("same", "same")).toEqual([{ kind: "same", text: "same" }]);
  expect(diffWords("", "")).toEqual([]);
});

test("both texts can be reconstructed from their differences", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", " ", "\n", "ä", ",")).map((all) => all.join(""));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const found = diffWords(before, after);
      const read = (left: string) => found.filter(({ kind }) => kind !== left).map(({ text }) => text);
      expect(read("added").join("")).toBe(before);
      expect(read("removed").join("")).toBe(after);
    }),
  );
});

test("recognizes quickly that texts have nothing in common", () => {
  const numbers = (from: number) => Array.from({ length: 3_000 }, (_, index) => from + index).join(" ");
  const found = diffWords(numbers(0), numbers(1_000_000));
  expect(found.map(({ kind }) => kind)).toEqual(["removed", "added"]);
});
