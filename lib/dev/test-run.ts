export type TestResult = {
  /** Relative to the project's folder. */
  file: string;
  name: string;
  outcome: "passed" | "failed" | "skipped";
  ms: number;
  /** What went wrong: of a browser test that failed, or that passed only when it was run again. */
  failure?: string;
};

/** What a runner did: every test that ended, though the runner itself may have died after it. */
export type TestRun = {
  results: TestResult[];
  /** Files with a test that never ended. */
  unfinishedFiles: string[];
  /** What went wrong besides the tests themselves, each in one line. */
  faults: string[];
  /** The runner's own words. */
  output: string;
};

export type TestCount = { passed: number; failed: number; skipped: number };

/** A fault counts as one failure, so a run that died is never a smaller success. */
export function countTests({ results, faults }: Pick<TestRun, "results" | "faults">): TestCount {
  const count = (outcome: TestResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  return { passed: count("passed"), failed: count("failed") + faults.length, skipped: count("skipped") };
}

/** The files to run again: those with a failed test and those that weren't finished. */
export function findFilesToRepeat(runs: TestRun[]): string[] {
  const failed = runs.flatMap(({ results }) => results.filter(({ outcome }) => outcome === "failed"));
  return [...new Set([...failed.map(({ file }) => file), ...runs.flatMap((run) => run.unfinishedFiles)])];
}

export function findSlowest(runs: TestRun[], count: number): TestResult[] {
  return runs
    .flatMap(({ results }) => results)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count);
}

/** What went wrong in browser tests, as it is printed at the end, where even a shortened log has it. */
export function describeFailures(runs: TestRun[]): string {
  return runs
    .flatMap(({ results }) => results)
    .filter(({ failure }) => failure)
    .map(({ file, name, outcome, failure }) => {
      const what = outcome === "passed" ? "Passed only when it was run again" : "Failed";
      return `${what}: ${file}: ${name}\n${failure?.split("\n").slice(0, FAILURE_LINES).join("\n")}`;
    })
    .join("\n\n");
}

const FAILURE_LINES = 25;
