import { expect, test } from "bun:test";
import { selectChecks } from "@/lib/dev/checks/select-checks";

const checks = ["lint", "import direction", "direction of writes"].map((name) => ({ name }));
const select = (...words: string[]) => selectChecks(checks, words).map(({ name }) => name);

test("words select each check whose name contains one, and no words select all", () => {
  expect(select("lint", "writes")).toEqual(["lint", "direction of writes"]);
  expect(select("direction")).toEqual(["import direction", "direction of writes"]);
  expect(select()).toEqual(checks.map(({ name }) => name));
});

test("a word that selects no check is refused, also beside one that does", () => {
  expect(() => select("lint", "exprots")).toThrow('No check is called "exprots"');
});
