import { expect, test } from "bun:test";
import { LimitDraft } from "./limit-draft";
import { planPasteByNames } from "./paste-by-names";
import { createPair } from "./testing/create-pair";

const pairs = [createPair("Bot", "gpt-5"), createPair("Bot", "gpt-6"), createPair("Search", "gpt-5")];
const set = (rows: string[][], among = pairs) => {
  const plan = planPasteByNames(new LimitDraft(), rows, among);
  return (
    plan &&
    (plan.refusal ?? plan.edits.map(({ pair, field, cell }) => [pair, field, cell?.fault ?? cell?.to]))
  );
};

test("rows go to the project and model that they name, in any order, by a head or by their first columns", () => {
  expect(
    set([
      ["Model", "Requests per minute", "Owner", "Project", "max_tokens_per_1_minute"],
      ["gpt-5", "7", "ada", "search", "1.000.000.000"],
      ["gpt-6", "", "bob", "proj_bot", "12k"],
      ["", "", "", "", ""],
    ]),
  ).toEqual([
    ["proj_search gpt-5", "max_requests_per_1_minute", 7],
    ["proj_search gpt-5", "max_tokens_per_1_minute", 1_000_000_000],
    ["proj_bot gpt-6", "max_tokens_per_1_minute", 12_000],
  ]);
  expect(
    set([
      ["Search", "gpt-5", "8"],
      ["Bot", "gpt-5", "x2"],
    ]),
  ).toEqual([
    ["proj_search gpt-5", "max_requests_per_1_minute", 8],
    ["proj_bot gpt-5", "max_requests_per_1_minute", 1_200],
  ]);
  expect(set([["gpt-6", "9"]], pairs.slice(0, 2))).toEqual([
    ["proj_bot gpt-6", "max_requests_per_1_minute", 9],
  ]);
});

test("a row without its like, or named twice, stops all, and numbers alone are no names", () => {
  const head = ["project", "model", "max_requests_per_1_minute"];
  expect(set([head, ["Bot", "gpt-5", "1"], ["Bot", "gpt-7", "2"]])).toContain("line 3 names “Bot · gpt-7”");
  expect(set([head, ["Bot", "gpt-5", "1"], ["bot", "GPT-5", "2"]])).toContain("a second time");
  expect(
    set([
      ["1", "2", "3"],
      ["4", "5", "6"],
    ]),
  ).toBeNull();
});
