import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@/lib/dev/run-program";
import type { RecordedLine } from "@/lib/dev/test-run/record-browser-results";
import type { TestRun } from "@/lib/dev/test-run/test-run";

const RECORDER = "./lib/dev/test-run/record-browser-results.ts";

/** Runs these specs with Playwright and repeats a failed test once, since a shared machine can be slow for seconds. */
export async function runBrowserTests(files: string[]): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-browser-"));
  try {
    const record = join(folder, "results.jsonl");
    using progress = showProgress("browser");
    const { exitCode, output } = await runProgram(
      ["playwright", "test", "--retries=1", `--reporter=line,${RECORDER}`, ...files.map(asPattern)],
      { ...process.env, BROWSER_RESULTS: record, CI: "true" },
      progress.note,
    );
    return { ...readBrowserResults(await readFile(record, "utf8").catch(() => ""), exitCode), output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Playwright takes regular expressions. */
function asPattern(path: string): string {
  return `/${path.replaceAll(/[.[\]()]/g, "\\$&")}$`;
}

/** Reads the reporter's record. A planned test without a result didn't end, which is a fault. */
export function readBrowserResults(record: string, exitCode: number): Omit<TestRun, "output"> {
  const lines = record
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedLine);
  const plannedTests = lines.flatMap((line) => ("planned" in line ? line.planned : []));
  const results = lines.flatMap((line) => ("planned" in line ? [] : line));
  const unfinishedTests = [...plannedTests];
  for (const { file } of results) {
    const index = unfinishedTests.indexOf(file);
    if (index >= 0) unfinishedTests.splice(index, 1);
  }
  const faults = [];
  if (unfinishedTests.length > 0) {
    faults.push(
      `${unfinishedTests.length} of ${plannedTests.length} browser tests did not run to their end.`,
    );
  } else if (exitCode !== 0 && results.every(({ outcome }) => outcome !== "failed")) {
    faults.push(`Playwright ended with exit code ${exitCode} though no test failed.`);
  }
  return { results, unfinishedFiles: [...new Set(unfinishedTests)], faults };
}

/** On a terminal the line is drawn anew this often; otherwise a line is added this often. */
const DRAW_MS = 250;
const PRINT_MS = 60_000;
const CLEAR_LINE = "\r\x1b[2K";

/** Bun's for each test; the recorder of browser tests prints it for those that failed. */
const ENDED = /^\((pass|fail|skip|todo)\) /;
/** Playwright's: the number of the test that begins, and of all. */
const NUMBERED = /\[(\d+)\/(\d+)\]/;

interface Progress extends Disposable {
  /** Takes a line that a runner of tests printed. */
  note(line: string): void;
}

/**
 * Shows how far a runner of tests is, until it is disposed: "api: 1,203 tests, 2 failed, 120 s". A failed test is named
 * at once; why it failed stands in what the runner prints at its end.
 */
export function showProgress(name: string, isTerminal = process.stdout.isTTY): Progress {
  const startMs = performance.now();
  let ended = 0;
  let failed = 0;
  let all = "";
  const describe = () => {
    const failures = failed > 0 ? `, ${failed} failed` : "";
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    return `${name}: ${ended.toLocaleString("en")}${all} tests${failures}, ${seconds} s`;
  };
  const timer = setInterval(
    () => (isTerminal ? process.stdout.write(`${CLEAR_LINE}${describe()}`) : console.log(describe())),
    isTerminal ? DRAW_MS : PRINT_MS,
  );
  return {
    note(line) {
      const [, outcome] = ENDED.exec(line) ?? [];
      const [, number, count] = NUMBERED.exec(line) ?? [];
      // Playwright numbers its tests, so these lines are not counted once more.
      if (outcome && !all) ended++;
      if (outcome === "fail") {
        failed++;
        console.log(`${isTerminal ? CLEAR_LINE : ""}${line.replace("(fail)", "failed:")}`);
      }
      if (!number || !count) return;
      ended = Number(number);
      all = ` of ${Number(count).toLocaleString("en")}`;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (isTerminal) process.stdout.write(CLEAR_LINE);
    },
  };
}
