import { readFile, rm, writeFile } from "node:fs/promises";
import { fingerprintSources } from "@/lib/dev/build/fingerprint-sources";
import { LaunchFault } from "@/lib/dev/launch/launch-fault";
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
