import type { Check } from "@/lib/dev/checks/check";
import { runBunTests } from "@/lib/dev/run-bun-tests";

export const checkUnitTests: Check = {
  name: "unit tests",
  covers: (path) => /^(lib|app|components|e2e\/bench)\/.*\.test\.tsx?$/.test(path),
  async run(covered) {
    const { output, failed, passed, skipped, filesRead } = await runBunTests(covered);
    const note = skipped > 0 ? `${skipped} skipped: a skipped test protects nobody.\n` : "";
    return { passed: failed + skipped === 0 && passed > 0, faults: note + output, filesRead };
  },
};
