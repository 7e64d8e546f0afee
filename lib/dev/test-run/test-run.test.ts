import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readBrowserResults } from "@/lib/dev/test-run/run-browser-tests";
import { runBunTests } from "@/lib/dev/test-run/run-bun-tests";
import { countTests, describeFailures, findFilesToRepeat, findSlowest } from "@/lib/dev/test-run/test-run";

async function runSample(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sample-"));
  try {
    const file = relative(process.cwd(), `${folder}/sample.test.ts`);
    writeFileSync(file, source);
    const run = await runBunTests([file]);
    return { file, run, ...countTests(run) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const head = 'import { describe, expect, test } from "bun:test";';

test("passed, failed and skipped tests are counted, with their file, name and time", async () => {
  const { file, run, ...count } = await runSample(`${head}
    describe("group", () => test("slow", () => Bun.sleep(30)));
    test("wrong", () => expect(1).toBe(2)); test.skip("left out", () => {});`);
  expect(count).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(run.results).toContainEqual({ file, name: "wrong", outcome: "failed", ms: expect.any(Number) });
  expect(findFilesToRepeat([run])).toEqual([file]);
  const [slowest] = findSlowest([run], 1);
  expect(slowest?.name).toBe("group > slow");
  expect(slowest?.ms).toBeGreaterThan(25);
  expect(run.output).toContain("Expected: 2");
});

test("counts a failed test once, though it is printed again at the end", async () => {
  const { run, file, ...count } = await runSample(`${head}
    test.each(Array.from({ length: 40 }, (_, at) => at))("%i", () => {});
    test("wrong", () => expect(1).toBe(2)); test("late", () => { throw new Error("x"); });`);
  expect(count).toEqual({ passed: 40, failed: 2, skipped: 0 });
  expect(findFilesToRepeat([run])).toEqual([file]);
});

test("a file that breaks before its first test and one without a test are failures", async () => {
  expect(await runSample("throw new Error('broken');")).toMatchObject({ passed: 0, failed: 1 });
  expect(await runSample(head)).toMatchObject({ passed: 0, failed: 1 });
  expect(countTests(await runBunTests([]))).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("counts tests that passed before the process ended, and the end as a failure", async () => {
  const { file, run, ...count } = await runSample(
    `${head} test("a", () => {}); test("b", () => process.exit(0)); test("c", () => {});`,
  );
  expect(count).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(findFilesToRepeat([run])).toEqual([file]);
});

const record = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const plannedTests = { planned: ["e2e/a.spec.ts", "e2e/a.spec.ts", "e2e/b.spec.ts"] };
const end = (file: string, outcome: string) => ({ file, name: "t", outcome, ms: 5 });

test("browser tests are counted when Playwright dies, and those it didn't reach are named", () => {
  const run = {
    ...readBrowserResults(record(plannedTests, end("e2e/a.spec.ts", "passed")), 137),
    output: "",
  };
  expect(countTests(run)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(run.faults).toEqual(["2 of 3 browser tests did not run to their end."]);
  expect(findFilesToRepeat([run])).toEqual(["e2e/a.spec.ts", "e2e/b.spec.ts"]);
});

test("Playwright's exit code is a failure of its own only if no test failed", () => {
  const ends = (outcome: string) =>
    record(plannedTests, ...plannedTests.planned.map((file) => end(file, outcome)));
  expect(countTests(readBrowserResults(ends("passed"), 0))).toEqual({ passed: 3, failed: 0, skipped: 0 });
  expect(countTests(readBrowserResults(ends("failed"), 1))).toEqual({ passed: 0, failed: 3, skipped: 0 });
  expect(countTests(readBrowserResults(ends("passed"), 1))).toEqual({ passed: 3, failed: 1, skipped: 0 });
  expect(countTests(readBrowserResults("", 1))).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("lists browser failures at the end, including those of a test that passed on retry", () => {
  const file = "e2e/a.spec.ts";
  const ends = record(
    { planned: [file, file, file] },
    { ...end(file, "passed"), name: "quick" },
    { ...end(file, "passed"), name: "slow", failure: "Error: not visible\n  at a.spec.ts:7" },
    { ...end(file, "failed"), name: "wrong", failure: "Error: 1 is not 2" },
  );
  const run = { ...readBrowserResults(ends, 1), output: "" };
  expect(countTests(run)).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(describeFailures([run])).toBe(
    [
      "Passed only when it was run again: e2e/a.spec.ts: slow",
      "Error: not visible",
      "  at a.spec.ts:7",
      "",
      "Failed: e2e/a.spec.ts: wrong",
      "Error: 1 is not 2",
    ].join("\n"),
  );
});
