import { expect, test } from "bun:test";
import { beginsWords, containsWords } from "./match-words";

test.each([
  ["", true],
  ["  ", true],
  ["ADA example", true],
  ["da xamp", true],
  ["ada grace", false],
])("a text that contains %p somewhere: %p", (search, isFound) => {
  expect(containsWords("Ada Lovelace ada@example.com", search)).toBe(isFound);
});

test.each([
  ["", true],
  [" - ", true],
  ["love ada", true],
  ["EXAMPLE", true],
  ["ada@exam", true],
  ["velace", false],
  ["ada grace", false],
])("a text whose words begin with %p: %p", (search, isFound) => {
  expect(beginsWords("Ada Lovelace (ada@example.com)", search)).toBe(isFound);
});

test("letters keep their marks: they don't end a word", () => {
  expect(beginsWords("परियोजना हिन्दी", "हिन्दी")).toBe(true);
  expect(beginsWords("हिन्दी", "न")).toBe(false);
  expect(beginsWords("Cafe\u0301 noir", "cafe\u0301 n")).toBe(true);
});
