import type { Check } from "@/lib/dev/checks/check";
import { runUnitTests } from "@/lib/dev/test-run/run-bun-tests";
import { countTests } from "@/lib/dev/test-run/test-run";

export const checkUnitTests: Check = {
  name: "unit tests",
  covers: (path) => /^(lib|app|components|e2e\/bench|e2e\/support)\/.*\.test\.tsx?$/.test(path),
  async run(paths) {
    const run = await runUnitTests(paths);
    const { passed, failed, skipped } = countTests(run);
    const note = skipped > 0 ? [`${skipped} skipped: a skipped test protects nobody.`] : [];
    return {
      passed: failed + skipped === 0 && passed > 0,
      faults: [...note, run.output, ...run.faults].join("\n"),
      filesRead: new Set(run.results.map(({ file }) => file)).size,
    };
  },
};
