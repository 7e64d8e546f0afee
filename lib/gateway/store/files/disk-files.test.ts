import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskFiles } from "./disk-files";
import { createDiskResultFiles } from "./disk-result-files";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-disk-files-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The names that `write` left on disk, by their folder: those that a folder held when it was last synced. */
async function findSyncedNames(folders: string[], write: () => Promise<unknown>) {
  const handle = await open(tmpdir(), "r");
  const fileHandles: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const names: Record<string, string[]> = {};
  const sync = fileHandles.sync;
  const synced = spyOn(fileHandles, "sync").mockImplementation(async function (this: FileHandle) {
    const { ino } = await this.stat();
    const folder = folders.find((path) => statSync(path, { throwIfNoEntry: false })?.ino === ino);
    if (folder !== undefined) names[folder] = readdirSync(folder);
    return sync.call(this);
  });
  try {
    await write();
  } finally {
    synced.mockRestore();
  }
  return names;
}

const writers = {
  "a file": (folder: string, text: string) =>
    createDiskFiles(folder).write("file_1", 0, new Blob([text]).stream()),
  "the first line of a result": (folder: string, text: string) =>
    createDiskResultFiles(folder).append("file_1", 0, [[Buffer.from(text)]]),
};

test.each(Object.entries(writers))(
  "the name of %s and those of its new folders are on disk",
  async (_, write) => {
    const [files, own] = [join(root, "files"), join(root, "files", "file_1")];
    expect(await findSyncedNames([root, files, own], () => write(files, "one"))).toEqual({
      [root]: ["files"],
      [files]: ["file_1"],
      [own]: ["0"],
    });
  },
);
