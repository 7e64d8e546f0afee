import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
/** The unit tests take about 0.2 GB at a time; a container has less there unless it asks for more. */
const ENOUGH_BYTES = 1024 ** 3;

/**
 * A folder for the files of tests, deleted at the end (`await using`): in memory where there is room, since tests of
 * the store wait for the disk most of the time, and none of them judges it.
 */
export async function openTemporaryFolder() {
  const path = await mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), "gatehouse-tests-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_BYTES;
}
