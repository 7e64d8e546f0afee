import { relative } from "node:path";
import type { Check } from "@/lib/dev/checks/run-checks";
import { runProgram } from "@/lib/dev/run-program";
import { runUnitTests } from "@/lib/dev/test-run/run-bun-tests";
import { countTests } from "@/lib/dev/test-run/test-run";

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

export const checkTypes: Check = {
  name: "types",
  covers: (path) => /\.tsx?$/.test(path),
  async run() {
    const { exitCode, output } = await runProgram(["tsc", "--noEmit", "--listFiles", "--pretty", "false"]);
    const lines = output.split("\n");
    const ownFiles = lines.filter((line) => isOwnFile(line));
    return {
      passed: exitCode === 0,
      faults: lines.filter((line) => !line.startsWith("/")).join("\n"),
      filesRead: ownFiles.length,
    };
  },
};

function isOwnFile(line: string): boolean {
  if (!line.startsWith("/")) return false;
  const path = relative(process.cwd(), line);
  return !/^(\.\.|node_modules|\.next)\//.test(path) && path !== "next-env.d.ts";
}

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
