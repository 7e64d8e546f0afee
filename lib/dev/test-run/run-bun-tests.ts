import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { runProgram } from "@/lib/dev/run-program";
import { openTemporaryFolder } from "@/lib/dev/test-run/open-temporary-folder";
import { showProgress } from "@/lib/dev/test-run/run-browser-tests";
import type { TestResult, TestRun } from "@/lib/dev/test-run/test-run";
import { startPostgres } from "@/lib/gateway/testing/postgres/postgres-cluster";

/** Generous for a test that shares two cores with the other checks. */
const SLOWEST_TEST_MS = 60_000;

/**
 * Runs unit tests in a process for each processor; what they write to the temporary folder is kept in memory. Those of
 * stores run once more, on PostgreSQL.
 */
export async function runUnitTests(files: string[]): Promise<TestRun> {
  using folder = await openTemporaryFolder();
  const run = (some: string[], env: Record<string, string>) =>
    runBunTests(some, {
      name: "units",
      processes: availableParallelism(),
      env: { TMPDIR: folder.path, ...env },
    });
  const storeTests = await findStoreTests(files);
  // Awaited here, since the folder is deleted when this function ends.
  return await withPostgres(folder.path, async (onPostgres) => {
    const first = await run(files, { GATEHOUSE_TEST_POSTGRES: onPostgres.GATEHOUSE_TEST_POSTGRES });
    return storeTests.length === 0 ? first : addRun(first, await run(storeTests, onPostgres));
  });
}

/**
 * Starts a cluster for all processes of a run, in its folder: in memory a database is made and deleted in two thirds of
 * the time. @param run gets the variables of tests on it.
 */
async function withPostgres<Result>(
  parent: string,
  run: (env: { GATEHOUSE_TEST_POSTGRES: string; GATEHOUSE_TEST_ENGINE: "postgres" }) => Promise<Result>,
): Promise<Result> {
  const cluster = await startPostgres({ parent });
  try {
    return await run({ GATEHOUSE_TEST_POSTGRES: cluster.url, GATEHOUSE_TEST_ENGINE: "postgres" });
  } finally {
    await cluster.stop();
  }
}

/** The files whose database is of either engine. */
async function findStoreTests(files: string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()));
  return files.filter((_, index) => texts[index]?.includes("openTemporaryDatabase("));
}

function addRun(first: TestRun, { results, unfinishedFiles, faults, output }: TestRun): TestRun {
  // What is only for the embedded database was run on it.
  const ran = results.filter(({ outcome }) => outcome !== "skipped");
  const named = ran.map((result) => ({ ...result, name: `${result.name} (PostgreSQL)` }));
  return {
    results: [...first.results, ...named],
    unfinishedFiles: [...first.unfinishedFiles, ...unfinishedFiles],
    faults: [...first.faults, ...faults],
    output: `${first.output}\n${output}`,
  };
}

/**
 * Each gateway in a test starts threads, and frees their memory when it ends. Keeping that memory in the process, and
 * fetching none ahead, saves a third of the time of such a test.
 */
const RUNTIME = { MIMALLOC_PURGE_DELAY: "-1", BUN_JSC_useWarmUpMarkedBlocks: "0" };

interface BunRun {
  readonly name?: string;
  readonly processes?: number;
  readonly env?: Record<string, string>;
  /** The path of a file with the time of each test file: several processes begin with those that take longest. */
  readonly timings?: string;
  /** The names of the tests to run; without them, all. */
  readonly tests?: readonly string[];
}

/** The longest files, longest first. A run begins with them, so that no process waits for one alone at the end. */
export const LONGEST: readonly string[] = [
  "e2e/api/chaos/many.",
  "e2e/api/chaos/postgres.",
  "e2e/api/chaos/",
];
const rank = (file: string) => [...LONGEST, ""].findIndex((start) => file.startsWith(start));
const isLong = (file: string) => rank(file) < LONGEST.length;
/** More than processors: tests wait for leases, for programs that start and for PostgreSQL. */
const API_PROCESSES = 3;

/**
 * The API tests that run on PostgreSQL too: those of books, limits, permissions, the audit log and work that goes on,
 * in which the engines have statements, locks or clocks of their own. Of the others the stores' unit tests run on both.
 */
export const ON_BOTH_ENGINES: readonly string[] = [
  "audit/",
  "keys/",
  "money/",
  "people/",
  "projects/",
  "protocols/background-responses",
  "tasks/batch-access-ends",
  "tasks/batch-progress",
  "tasks/batch-slots",
  "tasks/own-tasks",
  "tasks/task-ids",
  "tasks/tasks",
  "usage/",
].map((name) => `e2e/api/${name}`);

/** Runs the API tests. What they write to the temporary folder is kept in memory. */
export async function runApiTests(files: string[]): Promise<TestRun> {
  using folder = await openTemporaryFolder();
  const TMPDIR = folder.path;
  const timings = join(TMPDIR, "timings.json");
  await Bun.write(timings, describeOrder(files));
  const first = await runBunTests(files, { processes: API_PROCESSES, env: { TMPDIR }, timings });
  const both = files.filter((file) => ON_BOTH_ENGINES.some((name) => file.startsWith(name)));
  if (both.length === 0) return first;
  const onPostgres = { name: "api on PostgreSQL", processes: API_PROCESSES };
  const run = (env: Record<string, string>) => runBunTests(both, { ...onPostgres, env: { TMPDIR, ...env } });
  return addRun(first, await withPostgres(TMPDIR, run));
}

/** What Bun orders files by, which otherwise begins with those of each part of the alphabet. Only the order counts. */
function describeOrder(files: readonly string[]): string {
  const times = files.map((file) => [file, LONGEST.length + 1 - rank(file)]);
  return JSON.stringify({ version: 1, files: Object.fromEntries(times) });
}

/** So many files with failed tests run once more, since a shared machine can be slow. More are no accident. */
const REPEATED_FILES = 5;

/**
 * Runs these test files, and those with a failed test once more: of the longest, whose tests need none before them, the
 * failed ones alone. What passes only then is told at the end.
 */
export async function runBunTests(files: string[], options: BunRun = {}): Promise<TestRun> {
  const first = await runBunTestsOnce(files, options);
  const failed = new Set(first.results.filter(({ outcome }) => outcome === "failed").map(({ file }) => file));
  if (failed.size === 0 || failed.size > REPEATED_FILES || first.faults.length > 0) return first;
  const ofLongest = first.results.filter(({ file, outcome }) => isLong(file) && outcome === "failed");
  const others = [...failed].filter((file) => !isLong(file));
  const repeats: TestRun[] = [];
  if (ofLongest.length > 0) {
    const tests = ofLongest.map(({ name }) => name);
    const long = [...failed].filter(isLong);
    repeats.push(await runBunTestsOnce(long, { ...options, processes: 1, tests }));
  }
  if (others.length > 0) repeats.push(await runBunTestsOnce(others, { ...options, processes: 1 }));
  const again = repeats.flatMap(({ results }) => results);
  const results = first.results.map((result): TestResult => {
    if (result.outcome !== "failed") return result;
    const repeated = again.filter(({ file, name }) => file === result.file && name === result.name);
    const passed = repeated.length > 0 && repeated.every(({ outcome }) => outcome === "passed");
    return { ...result, outcome: passed ? "passed" : "failed" };
  });
  return { ...first, results, output: [first, ...repeats].map(({ output }) => output).join("\n") };
}

/**
 * Runs these test files with `bun test`. Results are counted from its output, so those before a crash count; a crash is
 * a fault, and so is a file without tests.
 */
async function runBunTestsOnce(
  files: string[],
  { name = "api", processes = 1, env = {}, timings, tests = [] }: BunRun,
): Promise<TestRun> {
  if (files.length === 0) {
    return { results: [], unfinishedFiles: [], faults: ["There is no test file."], output: "" };
  }
  // The files of a process share its modules: loading them anew for each would take longer than most tests.
  const parallel = processes > 1 ? [`--parallel=${processes}`, "--no-isolate"] : [];
  using progress = showProgress(name);
  const { exitCode, output } = await runProgram(
    [
      process.execPath,
      "test",
      `--timeout=${SLOWEST_TEST_MS}`,
      ...parallel,
      ...(timings ? [`--timings=${timings}`] : []),
      ...(tests.length > 0 ? ["--test-name-pattern", tests.map(escapePattern).join("|")] : []),
      ...files.map((file) => `./${file}`),
    ],
    { ...process.env, CI: "true", ...RUNTIME, ...env },
    progress.note,
  );
  const results = readBunResults(output);
  const crashes = readCrashes(output);
  const ran = new Set([...results, ...crashes].map(({ file }) => file));
  const unfinishedFiles = files.filter((file) => !ran.has(file));
  const faults = crashes.map(({ file, end }) => `The process of ${file} died (${end}).`);
  if (unfinishedFiles.length > 0) faults.push(`No test ran in ${unfinishedFiles.join(", ")}.`);
  unfinishedFiles.push(...crashes.map(({ file }) => file));
  // A test can set the exit code itself (`process.exit(0)`); only Bun writes the summary.
  if (!/^Ran \d+ tests? across \d+ files?\./m.test(output)) {
    faults.push(`bun test died with exit code ${exitCode} after ${results.length} tests.`);
    unfinishedFiles.push(...results.slice(-1).map(({ file }) => file));
  } else if (exitCode !== 0 && faults.length === 0 && results.every(({ outcome }) => outcome !== "failed")) {
    faults.push(`bun test ended with exit code ${exitCode} though no test failed.`);
  }
  return { results, unfinishedFiles, faults, output: withoutPassed(output) };
}

function escapePattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

const RESULT = /^\((pass|fail|skip|todo)\) (.*?)(?: \[([\d.]+)ms\])?$/;
const OUTCOMES = { pass: "passed", fail: "failed", skip: "skipped", todo: "skipped" } as const;

/** After a run with many tests, Bun prints the failed ones again. */
const FAILED_AGAIN = /^\d+ tests? failed:\n(?:\(fail\) .*\n| {2}.*\n)+/m;

/** Reads what `bun test` printed: a line with the file's path, then a line for each of its tests. */
function readBunResults(output: string): TestResult[] {
  const results: TestResult[] = [];
  let file = "";
  let printed: string[] = [];
  for (const line of output.replace(FAILED_AGAIN, "").split("\n")) {
    const [, kind, name, ms] = RESULT.exec(line) ?? [];
    if (kind && name) {
      const outcome = OUTCOMES[kind as keyof typeof OUTCOMES];
      const failure = outcome === "failed" && {
        // Of several processes the errors come before all results.
        failure: printed.join("\n").trim() || "Its error is in the runner's output.",
      };
      results.push({ file, name, outcome, ms: Number(ms ?? 0), ...failure });
      printed = [];
    } else if (/^\S+\.test\.tsx?:$/.test(line)) {
      file = toRelative(line.slice(0, -1));
      printed = [];
    } else printed.push(line);
  }
  return results;
}

/** The files at which one of several processes ended; another process runs those that were left. */
function readCrashes(output: string): { file: string; end: string }[] {
  return [...output.matchAll(/^✗ (\S+\.test\.tsx?) \(worker crashed: (.*)\)$/gm)].map(
    ([, path = "", end = ""]) => ({ file: toRelative(path), end }),
  );
}

function toRelative(path: string): string {
  return relative(process.cwd(), resolve(path));
}

function withoutPassed(output: string): string {
  return output
    .split("\n")
    .filter((line) => RESULT.exec(line)?.[1] !== "pass")
    .join("\n");
}
