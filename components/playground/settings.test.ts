import { expect, test } from "bun:test";
import {
  countRareSet,
  defaultSettings,
  findSettingFaults,
  parseStopSequences,
  parseWhole,
  type Settings,
} from "./settings";

const faults = (changed: Partial<Settings>) =>
  Object.keys(findSettingFaults({ ...defaultSettings, ...changed }));

test("finds no fault in unset settings", () => {
  expect(faults({})).toEqual([]);
});

test.each([
  [{ temperature: "2.1" }, "temperature"],
  [{ temperature: "warm" }, "temperature"],
  [{ top_p: "-0.1" }, "top_p"],
  [{ presence_penalty: "3" }, "presence_penalty"],
  [{ max_tokens: "0" }, "max_tokens"],
  [{ max_tokens: "1.5" }, "max_tokens"],
  [{ seed: "abc" }, "seed"],
  [{ stop: "a\nb\nc\nd\ne" }, "stop"],
  [{ format: "schema", schema: "" }, "schema"],
  [{ format: "schema", schema: "[]" }, "schema"],
  [{ tools: '{"type": "function"}' }, "tools"],
  [{ tools: "[{}]" }, "tools"],
  [{ replies: "[]" }, "replies"],
  [{ further: "{" }, "further"],
  [{ further: '{"model": "other"}' }, "further"],
  [{ further: '{"messages": [], "stream": false}' }, "further"],
] as [Partial<Settings>, string][])("%j is refused at its field", (changed, field) => {
  expect(faults(changed)).toEqual([field]);
});

test("ignores an incomplete schema while another format is selected", () => {
  expect(faults({ format: "text", schema: "{" })).toEqual([]);
});

test("whole numbers are read as people write them", () => {
  expect([parseWhole(" 1,000 "), parseWhole("1_000"), parseWhole("-5"), parseWhole("")]).toEqual([
    1000,
    1000,
    -5,
    null,
  ]);
  expect(parseWhole("1e3")).toBeNaN();
  expect(parseWhole("9".repeat(20))).toBeNaN();
});

test("preserves spaces in a stop sequence", () => {
  expect(parseStopSequences({ stop: "\n END \n" })).toEqual([" END "]);
});

test("counts what is set among the folded settings, and nothing of what is visible", () => {
  expect(countRareSet({ ...defaultSettings, temperature: "0.3", max_tokens: "50", format: "json" })).toBe(0);
  expect(countRareSet({ ...defaultSettings, seed: "1", reasoning_effort: "low", top_p: "0.5" })).toBe(3);
});

test("what an API has no field for neither holds up its calls nor counts", () => {
  const typed: Partial<Settings> = { endpoint: "responses", seed: "abc", stop: "a\nb\nc\nd\ne" };
  expect(faults(typed)).toEqual([]);
  expect(countRareSet({ ...defaultSettings, ...typed })).toBe(0);
  expect(countRareSet({ ...defaultSettings, reasoning_summary: "auto" })).toBe(0);
  expect(countRareSet({ ...defaultSettings, endpoint: "responses", reasoning_summary: "auto" })).toBe(1);
});
