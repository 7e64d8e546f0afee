import { expect, test } from "bun:test";
import { findLevel, listLevels, listNamesAt } from "./permission-rows";

const resource = (...names: string[]) => ({
  heading: "",
  lines: names.map((name) => ({ name, sentence: "" })),
});
const keys = resource("api.keys.read", "api.keys.write");

test("a resource has the levels that its permissions make", () => {
  const labels = (one: typeof keys) => listLevels(one).map(({ label }) => label);
  expect(labels(keys)).toEqual(["None", "Read", "Read and write"]);
  expect(labels(resource("api.ledger.read"))).toEqual(["None", "Read"]);
  expect(labels(resource("api.payments.write"))).toEqual(["None", "Write"]);
});

test("a level is found again from its permissions, and writing without reading is none of them", () => {
  for (const { level } of listLevels(keys)) expect(findLevel(keys, listNamesAt(keys, level))).toBe(level);
  expect(findLevel(keys, ["api.keys.write"])).toBeNull();
  expect(findLevel(keys, ["api.other.write"])).toBe("none");
});
