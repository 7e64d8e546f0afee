import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { scenarios } from "../../chaos/scenarios";
import { scenariosByFile } from "../../chaos/testing/run-in-small";

test("every scenario is in one test file of this folder", () => {
  const files = readdirSync(import.meta.dir).filter((file) => file !== basename(import.meta.path));
  expect(files.map((file) => file.replace(".test.ts", "")).toSorted()).toEqual(
    Object.keys(scenariosByFile).toSorted(),
  );
  const names = (some: typeof scenarios) => some.map(({ name }) => name).toSorted();
  expect(names(Object.values(scenariosByFile).flat())).toEqual(names(scenarios));
});
