import { describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { listFiles } from "@/lib/dev/list-files";
import RecordBrowserResults from "@/lib/dev/test-run/record-browser-results";
import { readBrowserResults, showProgress } from "@/lib/dev/test-run/run-browser-tests";
import { LONGEST, ON_BOTH_ENGINES, runBunTests } from "@/lib/dev/test-run/run-bun-tests";
import { countTests, describeFailures, findFilesToRepeat, findSlowest } from "@/lib/dev/test-run/test-run";

/** Runs a file for each source, in as many processes. */
const runSamples = (...sources: string[]) => runSampleFiles(sources, () => ({ processes: sources.length }));

async function runSampleFiles(
  sources: string[],
  choose: (files: string[], folder: string) => Parameters<typeof runBunTests>[1],
) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sample-"));
  try {
    const files = sources.map((source, at) => {
      const file = relative(process.cwd(), `${folder}/sample-${at}.test.ts`);
      writeFileSync(file, source);
      return file;
    });
    const run = await runBunTests(files, choose(files, folder));
    return { files, run, count: countTests(run) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const head = 'import { describe, expect, test } from "bun:test";';
const passing = `${head} test("passes", () => {});`;

describe.each([
  ["one process", []],
  ["several processes", [passing, passing]],
])("in %s", (_, others) => {
  const passed = others.length;

  test("passed, failed and skipped tests are counted, with their file, name and time", async () => {
    const { files, run, count } = await runSamples(
      `${head}
      describe("group", () => test("slow", () => Bun.sleep(30)));
      test("wrong", () => expect(1).toBe(2)); test.skip("left out", () => {});`,
      ...others,
    );
    expect(count).toEqual({ passed: passed + 1, failed: 1, skipped: 1 });
    const [file = ""] = files;
    const wrong = { file, name: "wrong", outcome: "failed" as const, ms: expect.any(Number) };
    expect(run.results).toContainEqual({ ...wrong, failure: expect.stringMatching(/./) });
    expect(findFilesToRepeat([run])).toEqual([file]);
    const [slowest] = findSlowest([run], 1);
    expect(slowest?.name).toBe("group > slow");
    expect(slowest?.ms).toBeGreaterThan(25);
    expect(run.output).toContain("Expected: 2");
  });

  test("counts a failed test once, though it is printed again at the end", async () => {
    const { files, run, count } = await runSamples(
      `${head}
      test.each(Array.from({ length: 40 }, (_, at) => at))("%i", () => {});
      test("wrong", () => expect(1).toBe(2)); test("late", () => { throw new Error("x"); });`,
      ...others,
    );
    expect(count).toEqual({ passed: passed + 40, failed: 2, skipped: 0 });
    expect(findFilesToRepeat([run])).toEqual(files.slice(0, 1));
  });

  test("a file that breaks before its first test and one without a test are failures", async () => {
    const broken = await runSamples("throw new Error('broken');", ...others);
    expect(broken.count).toEqual({ passed, failed: 1, skipped: 0 });
    expect(findFilesToRepeat([broken.run])).toEqual(broken.files.slice(0, 1));
    expect((await runSamples(head, ...others)).count).toEqual({ passed, failed: 1, skipped: 0 });
  });

  test.each(["process.exit(0)", "process.kill(process.pid, 'SIGKILL')"])(
    "counts tests that passed before %s, and the end as a failure",
    async (end) => {
      const { files, run, count } = await runSamples(
        `${head} test("a", () => {}); test("b", () => ${end}); test("c", () => {});`,
        ...others,
      );
      expect(count).toEqual({ passed: passed + 1, failed: 1, skipped: 0 });
      expect(findFilesToRepeat([run])).toEqual(files.slice(0, 1));
    },
  );
});

test("a test that passes only when it is run again counts as passed, and is told with its first error", async () => {
  const mark = join(tmpdir(), `gatehouse-ran-${crypto.randomUUID()}`);
  const { run, count } = await runSamples(`${head}
    import { existsSync, rmSync, writeFileSync } from "node:fs";
    test("slow at first", () => {
      const ranBefore = existsSync(${JSON.stringify(mark)});
      if (ranBefore) rmSync(${JSON.stringify(mark)}); else writeFileSync(${JSON.stringify(mark)}, "");
      expect(ranBefore).toBe(true);
    });
    test("wrong", () => expect(1).toBe(2));`);
  expect(count).toEqual({ passed: 1, failed: 1, skipped: 0 });
  const told = describeFailures([run]);
  expect(told).toMatch(/Passed only when it was run again: \S+: slow at first\n[^]*Expected: true/);
  expect(told).toMatch(/Failed: \S+: wrong\n[^]*Expected: 2/);
});

test("several processes begin with the files that take longest", async () => {
  const log = join(tmpdir(), `gatehouse-order-${crypto.randomUUID()}`);
  // The second process waits for the first, which has begun with another file by then.
  const wait = `while (!require("node:fs").existsSync(${JSON.stringify(log)})) await Bun.sleep(1);`;
  const note = (name: string) => `require("node:fs").appendFileSync(${JSON.stringify(log)}, "${name} ");`;
  const sources = [note("short"), note("long"), `${wait} ${note("other")}`];
  const samples = sources.map((source) => `${head} test("notes", async () => { ${source} });`);
  const { count } = await runSampleFiles(samples, (files, folder) => {
    const timings = join(folder, "timings.json");
    const times = files.map((file, at) => [file, [1, 3, 2][at]]);
    writeFileSync(timings, JSON.stringify({ version: 1, files: Object.fromEntries(times) }));
    return { processes: 2, timings };
  });
  expect(count.passed).toBe(3);
  expect(readFileSync(log, "utf8")).toStartWith("long ");
  rmSync(log);
});

test("no file is a failure", async () => {
  expect(countTests(await runBunTests([]))).toEqual({ passed: 0, failed: 1, skipped: 0 });
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

test("a browser test that fails is named at once, and its repetition isn't", () => {
  const file = join(process.cwd(), "e2e/a.spec.ts");
  const ends = (title: string, retry: number, status: string) =>
    new RecordBrowserResults().onTestEnd(
      { title, retries: 1, expectedStatus: "passed", location: { file }, results: [] } as never,
      { status, duration: 5, retry } as never,
    );
  using log = spyOn(console, "log").mockImplementation(() => {});
  const printed = () => log.mock.calls.map(([line]) => String(line));
  ends("right", 0, "passed");
  ends("wrong", 0, "failed");
  ends("wrong", 1, "failed");
  ends("late", 0, "timedOut");
  const lines = printed();
  log.mockClear();
  using progress = showProgress("browser", false);
  for (const line of ["[1/4] right", "[2/4] wrong", ...lines]) progress.note(line);
  expect(printed()).toEqual(["failed: e2e/a.spec.ts: wrong", "failed: e2e/a.spec.ts: late"]);
});

test("each name of what runs on both engines, or takes longest, is that of API tests", async () => {
  const files = await listFiles();
  const empty = [...ON_BOTH_ENGINES, ...LONGEST].filter(
    (name) => !files.some((file) => file.startsWith(name)),
  );
  expect(empty).toEqual([]);
});
