import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "./back-up";

/** Prints the permissions of a file as soon as it is there. */
const WATCHER = `
  import { statSync } from "node:fs";
  console.log("ready");
  for (;;) {
    const stats = statSync(process.argv[1], { throwIfNoEntry: false });
    if (stats) { console.log((stats.mode & 0o777).toString(8)); break; }
  }`;

function createDatabase(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-"));
  const path = join(folder, "gatehouse.sqlite");
  using database = new Database(path);
  database.run("CREATE TABLE texts (bytes BLOB)");
  for (let n = 0; n < megabytes; n++) database.run("INSERT INTO texts VALUES (randomblob(1000000))");
  return { path, copy: join(folder, "copy.sqlite") };
}

test("nobody but its owner can read a backup while it is written", async () => {
  const { path, copy } = createDatabase(20);
  const watcher = Bun.spawn([process.execPath, "-e", WATCHER, copy], { stdout: "pipe" });
  const lines = watcher.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await lines.read()).value?.trim()).toBe("ready");
  backUp(path, copy);
  expect((await lines.read()).value?.trim()).toBe("600");
});

test("a backup that fails leaves no file in the way of the next", () => {
  const { path, copy } = createDatabase(1);
  truncateSync(path, 500_000);
  expect(() => backUp(path, copy)).toThrow("malformed");
  expect(existsSync(copy)).toBe(false);
});

test("a file that is there already is not touched", () => {
  const { path, copy } = createDatabase(1);
  writeFileSync(copy, "mine");
  expect(() => backUp(path, copy)).toThrow("is there already");
  expect(existsSync(copy)).toBe(true);
});
