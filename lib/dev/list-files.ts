import { existsSync } from "node:fs";
import { runProgram } from "@/lib/dev/run-program";

/** All files that are or could be committed: tracked and untracked, not ignored, and present on disk. */
export async function listFiles(): Promise<string[]> {
  const { exitCode, output } = await runProgram([
    "git",
    // Git then lists a checkout that another user owns, too, as in mounted containers.
    "-c",
    "safe.directory=*",
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  if (exitCode !== 0) throw new Error(`git could not list the files: ${output}`);
  // Git still lists a deleted file until the deletion is committed, and lists untracked files last.
  return [...new Set(output.split("\0"))].filter((path) => path !== "" && existsSync(path)).toSorted();
}
