import { rmSync } from "node:fs";
import { chmod, mkdtemp, statfs } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
/** The unit tests take about 0.2 GB at a time; a container has less there unless it asks for more. */
const ENOUGH_BYTES = 1024 ** 3;

/**
 * A folder for the files of tests, deleted at the end (`using`) and when a signal ends the run. It is in memory where
 * there is room, since tests of the store wait for the disk most of the time, and none of them judges it.
 */
export async function openTemporaryFolder() {
  const path = await mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), "gatehouse-tests-"));
  // PostgreSQL runs as another user, and has its folder here.
  await chmod(path, 0o711);
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  // What is left in memory takes it until the machine starts again.
  const leave = (signal: "SIGINT" | "SIGTERM") => {
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  process.on("SIGINT", leave).on("SIGTERM", leave);
  return {
    path,
    [Symbol.dispose]() {
      process.off("SIGINT", leave).off("SIGTERM", leave);
      remove();
    },
  };
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_BYTES;
}
