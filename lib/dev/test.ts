import { listFiles } from "@/lib/dev/list-files";
import { runBrowserTests } from "@/lib/dev/test-run/run-browser-tests";
import { runApiTests, runUnitTests } from "@/lib/dev/test-run/run-bun-tests";
import { selectTests } from "@/lib/dev/test-run/select-tests";
import {
  countTests,
  describeFailures,
  findFilesToRepeat,
  findSlowest,
  type TestRun,
} from "@/lib/dev/test-run/test-run";

const SLOWEST_SHOWN = 10;
const isCi = process.env.CI === "true";

// `npm test -- api` runs one runner's tests, `npm test -- members` those in files of this name.
const words = process.argv.slice(2);
const { unknown, ...selection } = selectTests(await listFiles(), words);
const RUNNERS = {
  units: runUnitTests,
  api: runApiTests,
  browser: runBrowserTests,
};

const runs: TestRun[] = [];
for (const name of ["units", "api", "browser"] as const) {
  // The words may select no test of a runner. If there are none, a runner without tests is misconfigured.
  if (words.length > 0 && selection[name].length === 0) continue;
  const startMs = performance.now();
  const run = await RUNNERS[name](selection[name]);
  runs.push(run);
  const { passed, failed, skipped } = countTests(run);
  if (run.results.some(({ failure }) => failure) || failed > 0)
    console.log([run.output, ...run.faults].join("\n"));
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`);
}
for (const word of unknown) {
  console.log(
    `No test goes by "${word}": give a runner (units, api, browser), a file's name, its path or a folder.`,
  );
}
report();

function report(): void {
  const counts = runs.map(countTests);
  const passedCount = counts.reduce((sum, count) => sum + count.passed, 0);
  const skippedCount = counts.reduce((sum, count) => sum + count.skipped, 0);
  // In CI a skipped test counts as failed: it protects nobody, and nobody sees that it was skipped.
  const failedCount = counts.reduce(
    (sum, count) => sum + count.failed,
    unknown.length + (isCi ? skippedCount : 0),
  );
  if (passedCount + failedCount > SLOWEST_SHOWN) {
    console.log("\nThe slowest:");
    for (const { file, name, ms } of findSlowest(runs, SLOWEST_SHOWN)) {
      console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${file}: ${name}`);
    }
  }
  const failures = describeFailures(runs);
  if (failures) console.log(`\n${failures}`);
  const repeat = findFilesToRepeat(runs);
  if (repeat.length > 0) console.log(`\nTo run what failed again: npm test -- ${repeat.join(" ")}`);
  console.log(`${passedCount} passed, ${failedCount} failed`);
  process.exitCode = failedCount > 0 || passedCount === 0 ? 1 : 0;
}
