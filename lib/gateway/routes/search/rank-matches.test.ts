import { expect, test } from "bun:test";
import { rankMatches } from "./search";

const find = (names: string[], text: string, max = 5) =>
  rankMatches(names, text, (name): [string] => [name], max);

test("the closest match comes first, and others keep their order", () => {
  const names = ["reproduction", "Pre production", "production-eu", "PRODUCTION", "staging", "production-us"];
  expect(find(names, "Production")).toEqual([
    "PRODUCTION",
    "production-eu",
    "production-us",
    "Pre production",
    "reproduction",
  ]);
});

test("an exact match is found behind any number of others", () => {
  const names = [...Array.from({ length: 5_000 }, (_, index) => `ada ${index}`), "Ada"];
  expect(find(names, "ada", 2)).toEqual(["Ada", "ada 0"]);
});

test("an object is as close as the closest of its names, and forms of characters don't matter", () => {
  const users = [
    { name: "Ada Lovelace", id: "user_1" },
    { name: "Ｂｅｎ", id: "user_22" },
  ];
  const byWords = (text: string) =>
    rankMatches(users, text, ({ name, id }): [string, string] => [name, id], 5).map(({ id }) => id);
  expect(byWords("USER_22")).toEqual(["user_22"]);
  expect(byWords("ben")).toEqual(["user_22"]);
  expect(byWords("user_")).toEqual(["user_1", "user_22"]);
  expect(byWords("user_3")).toEqual([]);
});
