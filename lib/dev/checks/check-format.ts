import type { Check } from "@/lib/dev/checks/check";
import { runProgram } from "@/lib/dev/run-program";

export const checkFormat: Check = {
  name: "format",
  covers: (path) =>
    /\.(tsx?|jsx?|mjs|cjs|jsonc?|css)$/.test(path) &&
    path !== "package-lock.json" &&
    !path.startsWith("public/"),
  async run() {
    const { exitCode, output } = await runProgram([
      "biome",
      "check",
      "--colors=off",
      "--max-diagnostics=50",
      ".",
    ]);
    return {
      passed: exitCode === 0,
      faults: `${output}\nMend: npm run format`,
      filesRead: Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0),
    };
  },
};
