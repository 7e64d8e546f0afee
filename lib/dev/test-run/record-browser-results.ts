import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { TestResult as End, FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import type { TestResult } from "@/lib/dev/test-run/test-run";

/** One line of the record: first every planned test's file, then each test as it ends. */
export type RecordedLine = { planned: string[] } | TestResult;

/** A Playwright reporter that writes to `BROWSER_RESULTS` at once, so that what ended is known if Playwright dies. */
export default class RecordBrowserResults implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    record({ planned: suite.allTests().map(relativeFile) });
  }

  onTestEnd(test: TestCase, { status, duration, retry }: End): void {
    // Playwright skipped it because something before it failed, so it was not run.
    if (status === "skipped" && test.expectedStatus !== "skipped") return;
    const outcome = status === "skipped" ? "skipped" : status === test.expectedStatus ? "passed" : "failed";
    // Named at its first failure, as Bun names a failed test; the line reporter waits for the repetition.
    if (outcome === "failed" && retry === 0) console.log(`(fail) ${relativeFile(test)}: ${test.title}`);
    if (outcome === "failed" && retry < test.retries) return;
    const errors = test.results.find((attempt) => attempt.errors.length > 0)?.errors ?? [];
    const failure = errors
      .map((error) => stripVTControlCharacters(error.stack ?? error.message ?? ""))
      .join("\n");
    record({
      file: relativeFile(test),
      name: test.title,
      outcome,
      ms: duration,
      ...(failure && { failure }),
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}

function record(line: RecordedLine): void {
  appendFileSync(process.env.BROWSER_RESULTS ?? "/dev/null", `${JSON.stringify(line)}\n`);
}

function relativeFile(test: TestCase): string {
  return relative(process.cwd(), test.location.file);
}
