import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskResultFiles } from "../batches/result-files";
import { createDiskFiles } from "./file-storage";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-disk-files-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/**
 * What `write` left on disk: the names by their folder, those that it held when it was last synced, and the lengths of
 * the files that were synced.
 */
async function findSynced(folders: string[], write: () => Promise<unknown>) {
  const handle = await open(tmpdir(), "r");
  const fileHandles: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const names: Record<string, string[]> = {};
  const lengths: number[] = [];
  const sync = fileHandles.sync;
  const synced = spyOn(fileHandles, "sync").mockImplementation(async function (this: FileHandle) {
    const stats = await this.stat();
    const folder = folders.find((path) => statSync(path, { throwIfNoEntry: false })?.ino === stats.ino);
    if (folder !== undefined) names[folder] = readdirSync(folder);
    if (stats.isFile()) lengths.push(stats.size);
    return sync.call(this);
  });
  try {
    await write();
  } finally {
    synced.mockRestore();
  }
  return { names, lengths };
}

const writers = {
  "a file": (folder: string, text: string) =>
    createDiskFiles(folder).write("file_1", 0, new Blob([text]).stream()),
  "the first line of a result": (folder: string, text: string) =>
    createDiskResultFiles(folder).append("file_1", 0, [[Buffer.from(text)]]),
};

test.each(Object.entries(writers))(
  "the bytes of %s, its name and those of its new folders are on disk",
  async (_, write) => {
    const [files, own] = [join(root, "files"), join(root, "files", "file_1")];
    expect(await findSynced([root, files, own], () => write(files, "one"))).toEqual({
      names: { [root]: ["files"], [files]: ["file_1"], [own]: ["0"] },
      lengths: [3],
    });
  },
);
