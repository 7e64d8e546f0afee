import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LaunchFault } from "@/lib/dev/launch/program";
import { nextCommand, nextEnvironment } from "@/lib/dev/launch/start-console";
import { runProgram } from "@/lib/dev/run-program";

const STAMP = ".next/gatehouse-fingerprint";

/** Whether the production build in `.next` matches the present sources. */
export async function isBuildCurrent(): Promise<boolean> {
  const stamp = await readFile(STAMP, "utf8").catch(() => null);
  return stamp !== null && stamp === (await fingerprintSources(process.cwd()));
}

/** @throws LaunchFault with the build's output if it fails. */
export async function buildConsole(): Promise<void> {
  await rm(STAMP, { force: true });
  const fingerprint = await fingerprintSources(process.cwd());
  const { exitCode, output } = await runProgram(nextCommand("build"), {
    ...nextEnvironment(),
    NODE_ENV: "production",
  });
  if (exitCode !== 0)
    throw new LaunchFault(["The console could not be built:", ...output.trim().split("\n")]);
  await writeFile(STAMP, fingerprint);
}

/** Everything the console's build depends on. */
export const BUILD_SOURCES = [
  "app",
  "components",
  "lib/client-address",
  "lib/console",
  "lib/contract",
  "lib/durability",
  "lib/line-budget",
  "lib/money",
  "lib/secret",
  "public",
  "next.config.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "instrumentation.ts",
  "tsconfig.json",
  "package-lock.json",
];

/** A hash that changes when a rebuild would change the build: names and contents, never times. */
export async function fingerprintSources(root: string, sources: string[] = BUILD_SOURCES): Promise<string> {
  const files = (await Promise.all(sources.map((source) => filesIn(root, source)))).flat().toSorted();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  const hash = createHash("sha256");
  files.forEach((file, index) => {
    const content = contents[index];
    if (content) hash.update(`${file}\0${content.length}\0`).update(content);
  });
  return hash.digest("hex");
}

async function filesIn(root: string, source: string): Promise<string[]> {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  if (!(await stat(path)).isDirectory()) return [source];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
