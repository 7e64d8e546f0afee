import { relative } from "node:path";
import type { Check } from "@/lib/dev/checks/check";
import { runProgram } from "@/lib/dev/run-program";

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
