import { listFiles } from "@/lib/dev/list-files";
import { runBrowserTests } from "@/lib/dev/run-browser-tests";
import { runBunTests, type TestCount } from "@/lib/dev/run-bun-tests";

const SLOWEST_API_TEST_MS = 60_000;

const files = await listFiles();
const RUNNERS: { name: string; run: () => Promise<TestCount & { output: string }> }[] = [
  {
    name: "units",
    run: () =>
      runBunTests(files.filter((path) => /^(lib|app|components|e2e\/bench)\/.*\.test\.tsx?$/.test(path))),
  },
  {
    name: "api",
    run: () =>
      runBunTests(
        files.filter((path) => /^e2e\/api\/.*\.test\.ts$/.test(path)),
        SLOWEST_API_TEST_MS,
      ),
  },
  { name: "browser", run: runBrowserTests },
];

// `npm test -- api browser` runs these alone.
const asked = process.argv.slice(2);
const total = { passed: 0, failed: 0 };
for (const { name, run } of RUNNERS.filter((runner) => asked.length === 0 || asked.includes(runner.name))) {
  const started = performance.now();
  const { passed, failed, skipped, output } = await run();
  // A runner without a single test is a mistake in its setting, not a success.
  const missing = passed + failed === 0 ? 1 : 0;
  total.passed += passed;
  total.failed += failed + missing;
  if (failed + missing > 0) console.log(output);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name}: ${passed} passed, ${failed + missing} failed, ${skipped} skipped, ${seconds} s`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
