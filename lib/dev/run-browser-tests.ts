import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "@/lib/dev/find-chromium";
import type { TestCount } from "@/lib/dev/run-bun-tests";
import { runProgram } from "@/lib/dev/run-program";

/** A run that hangs is a failure, not a wait. */
const RUN_LIMIT_MS = 10 * 60_000;

/** Runs the Playwright specs; `output` is what it says about those that failed. */
export async function runBrowserTests(): Promise<TestCount & { output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-browser-"));
  try {
    const report = join(folder, "report.json");
    const browser = findChromium();
    const { exitCode, output } = await runProgram(
      ["playwright", "test", "--reporter=line,json"],
      {
        ...process.env,
        ...browser.env,
        CHROMIUM_PATH: browser.path,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        CI: "true",
      },
      RUN_LIMIT_MS,
    );
    const count = countPlaywright(await readFile(report, "utf8").catch(() => "{}"));
    const failed = exitCode !== 0 && count.failed === 0 ? 1 : count.failed;
    return { ...count, failed, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the totals of Playwright's JSON report; a test that passed only on a retry has failed once. */
export function countPlaywright(json: string): TestCount {
  const { stats = {} } = JSON.parse(json) as { stats?: Record<string, number> };
  return {
    passed: stats.expected ?? 0,
    failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0),
    skipped: stats.skipped ?? 0,
  };
}
