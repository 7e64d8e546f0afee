import type { Check } from "@/lib/dev/checks/check";
import { runProgram } from "@/lib/dev/run-program";

export const checkLint: Check = {
  name: "lint",
  covers: (path) => /\.(tsx?|jsx?|mjs|cjs)$/.test(path) && !path.startsWith("public/"),
  async run() {
    const { exitCode, output } = await runProgram(["oxlint", "--deny-warnings"], {
      ...process.env,
      NO_COLOR: "1",
    });
    return {
      passed: exitCode === 0,
      faults: output,
      filesRead: Number(/ on (\d+) files? with /.exec(output)?.[1] ?? 0),
    };
  },
};
