import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@/lib/dev/run-program";

export type TestCount = { passed: number; failed: number; skipped: number };
export type TestRun = TestCount & { filesRead: number; output: string };

/**
 * Runs these test files with `bun test`. Counted from the JUnit report, so a run that dies half-way, a
 * file that fails before its first test and one without a test are failures, never a smaller total.
 */
export async function runBunTests(files: string[], timeoutMs = SLOWEST_TEST_MS): Promise<TestRun> {
  if (files.length === 0) {
    return { passed: 0, failed: 1, skipped: 0, filesRead: 0, output: "There is no test file." };
  }
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-tests-"));
  try {
    const report = join(folder, "junit.xml");
    const { exitCode, output } = await runProgram(
      [
        process.execPath,
        "test",
        "--only-failures",
        `--timeout=${timeoutMs}`,
        "--reporter=junit",
        `--reporter-outfile=${report}`,
        ...files.map((file) => `./${file}`),
      ],
      { ...process.env, CI: "true" },
      RUN_LIMIT_MS,
    );
    const count = existsSync(report)
      ? countJunit(await readFile(report, "utf8"))
      : { ...NOTHING, filesRead: 0 };
    const unwell = exitCode !== 0 || count.filesRead < files.length;
    const failed = unwell && count.failed === 0 ? 1 : count.failed;
    return { ...count, failed, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Wide enough for a test that shares two cores with the other checks; none is near it alone. */
const SLOWEST_TEST_MS = 20_000;
/** A run that hangs is a failure, not a wait. */
const RUN_LIMIT_MS = 5 * 60_000;
const NOTHING: TestCount = { passed: 0, failed: 0, skipped: 0 };

/** Reads the totals of Bun's JUnit report, and the number of test files in it. */
export function countJunit(xml: string): TestCount & { filesRead: number } {
  const totals = /<testsuites\b[^>]*>/.exec(xml)?.[0] ?? "";
  const attribute = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);
  const failed = attribute("failures");
  const skipped = attribute("skipped");
  const files = new Set([...xml.matchAll(/<testsuite\b[^>]*\bfile="([^"]+)"/g)].map((match) => match[1]));
  return { passed: attribute("tests") - failed - skipped, failed, skipped, filesRead: files.size };
}
