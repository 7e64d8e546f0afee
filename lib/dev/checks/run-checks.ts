/**
 * Runs the checks concurrently and prints a line for each, with the output of those that failed. A check that read
 * fewer files than it covers fails, so that a tool that skips files doesn't look successful.
 */
export async function runChecks(
  checks: Check[],
  files: string[],
  print: (line: string) => void = console.log,
): Promise<boolean> {
  const startMs = performance.now();
  const red: { name: string; faults: string }[] = [];
  await Promise.all(
    checks.map(async (check) => {
      const paths = files.filter((path) => check.covers(path));
      const result = judge(await runCheck(check, paths), paths.length);
      print(
        [
          result.passed ? "ok  " : "FAIL",
          check.name.padEnd(18),
          `${result.filesRead} files`.padStart(10),
          seconds(startMs).padStart(8),
        ].join(" "),
      );
      if (!result.passed) red.push({ name: check.name, faults: result.faults });
    }),
  );
  for (const { name, faults } of red) print(`\n── ${name} ──\n${faults.trim()}`);
  const verdict = red.length === 0 ? "all green" : `${red.length} red`;
  print(`\n${verdict}, ${seconds(startMs)}`);
  return red.length === 0;
}

async function runCheck(check: Check, paths: string[]): Promise<CheckResult> {
  try {
    return await check.run(paths);
  } catch (error) {
    return { passed: false, faults: String(error), filesRead: 0 };
  }
}

function judge(result: CheckResult, expected: number): CheckResult {
  if (result.filesRead >= expected && expected > 0) return result;
  const faults = `It read ${result.filesRead} files, but must read ${expected}.\n${result.faults}`;
  return { ...result, passed: false, faults };
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

type CheckResult = {
  /** The lines to show when the check fails. */
  faults: string;
  passed: boolean;
  filesRead: number;
};

export type Check = {
  name: string;
  /** Whether this check must read the file; verify fails a check that read fewer files. */
  covers: (path: string) => boolean;
  run: (covered: string[]) => Promise<CheckResult>;
};

/**
 * Returns the checks whose name contains one of the words; all without words.
 * @throws Error for a word that no name contains: a misspelled check would be left out unnoticed.
 */
export function selectChecks<Named extends Pick<Check, "name">>(checks: Named[], words: string[]): Named[] {
  for (const word of words)
    if (!checks.some(({ name }) => name.includes(word)))
      throw new Error(`No check is called "${word}": ${checks.map(({ name }) => name).join(", ")}`);
  return checks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}
