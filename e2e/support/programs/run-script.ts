import { execFileSync } from "node:child_process";

/**
 * Runs a program of `support/scripts` in Bun. Playwright's own process is Node.js.
 * @returns what it prints.
 */
export function runScript(name: string, ...args: string[]): string {
  const path = `e2e/support/scripts/${name}.ts`;
  return execFileSync("node_modules/.bin/bun", [path, ...args], { encoding: "utf8" });
}
