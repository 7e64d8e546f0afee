import { execFileSync } from "node:child_process";

/** Runs before the workers start, so that none of them builds. */
export default function buildOnce(): void {
  execFileSync("node_modules/.bin/bun", ["lib/dev/build.ts"], { stdio: "inherit" });
}
