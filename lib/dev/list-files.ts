import { existsSync } from "node:fs";
import { runProgram } from "@/lib/dev/run-program";

/** Every file that is or could be committed: tracked and untracked, not ignored, present on the disk. */
export async function listFiles(): Promise<string[]> {
  const { exitCode, output } = await runProgram([
    "git",
    // A checkout owned by another user, as containers mount it, is listed all the same.
    "-c",
    "safe.directory=*",
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  if (exitCode !== 0) throw new Error(`git could not list the files: ${output}`);
  // A file deleted but not yet committed is still in git's list, and untracked ones come last.
  return [...new Set(output.split("\0"))].filter((path) => path !== "" && existsSync(path)).toSorted();
}
