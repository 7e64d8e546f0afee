import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@/lib/dev/run-program";
import type { RecordedLine } from "@/lib/dev/test-run/record-browser-results";
import { showProgress } from "@/lib/dev/test-run/show-progress";
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
