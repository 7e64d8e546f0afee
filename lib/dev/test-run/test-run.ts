export type TestResult = {
  /** Relative to the project's folder. */
  file: string;
  name: string;
  outcome: "passed" | "failed" | "skipped";
  ms: number;
  /** The error of a test that failed, or that passed only when repeated. */
  failure?: string;
};

/** A runner's results: every test that ended, even if the runner then died. */
export type TestRun = {
  results: TestResult[];
  /** Files with a test that never ended. */
  unfinishedFiles: string[];
  /** Faults other than failed tests, one line each. */
  faults: string[];
  /** The runner's own output. */
  output: string;
};

type TestCount = { passed: number; failed: number; skipped: number };

/** A fault counts as one failure, so that a run that died never looks like a smaller success. */
export function countTests({ results, faults }: Pick<TestRun, "results" | "faults">): TestCount {
  const count = (outcome: TestResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  return { passed: count("passed"), failed: count("failed") + faults.length, skipped: count("skipped") };
}

/** The files to run again: those with a failed or unfinished test. */
export function findFilesToRepeat(runs: TestRun[]): string[] {
  const failedTests = runs.flatMap(({ results }) => results.filter(({ outcome }) => outcome === "failed"));
  return [
    ...new Set([...failedTests.map(({ file }) => file), ...runs.flatMap((run) => run.unfinishedFiles)]),
  ];
}

export function findSlowest(runs: TestRun[], count: number): TestResult[] {
  return runs
    .flatMap(({ results }) => results)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count);
}

/** The errors of tests, printed at the end so that even a truncated log contains them. */
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
