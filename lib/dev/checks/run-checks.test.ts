import { expect, test } from "bun:test";
import { type Check, runChecks, selectChecks } from "@/lib/dev/checks/run-checks";

const createCheck = (filesRead: number, passed = true): Check => ({
  name: "sample",
  covers: (path) => path.endsWith(".ts"),
  run: async () => ({ passed, filesRead, faults: "the fault" }),
});
const files = ["a.ts", "b.ts", "c.md"];

async function outcome(check: Check, paths = files) {
  const lines: string[] = [];
  const green = await runChecks([check], paths, (line) => lines.push(line));
  return { green, text: lines.join("\n") };
}

test("a check that read every file it covers and found nothing is green", async () => {
  expect((await outcome(createCheck(2))).green).toBe(true);
});

test("a check that read fewer files than git lists is red and says so", async () => {
  const { green, text } = await outcome(createCheck(1));
  expect(green).toBe(false);
  expect(text).toContain("read 1 files, but must read 2");
});

test("a check with nothing to read is red", async () => {
  expect((await outcome(createCheck(0), ["c.md"])).green).toBe(false);
});

test("a fault is shown whole, and a check that throws is red", async () => {
  expect((await outcome(createCheck(2, false))).text).toContain("the fault");
  const throwing = { ...createCheck(2), run: () => Promise.reject(new Error("no such program")) };
  expect(await outcome(throwing)).toMatchObject({ green: false });
});

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
