import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskResultFiles } from "./result-files";

const line = (text: string) => [Buffer.from(text)];

test("lines that were written and not counted are cut off, with and without further lines", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-results-"));
  const read = () => readFileSync(join(folder, "file_1", "0"), "utf8");
  const files = createDiskResultFiles(folder);
  const end = await files.append("file_1", 0, [line("one\n")]);
  await files.append("file_1", end, [line("two\n")]);
  expect(await files.append("file_1", end, [line("other\n")])).toBe(10);
  expect(read()).toBe("one\nother\n");
  expect(await files.append("file_1", end, [])).toBe(end);
  expect(read()).toBe("one\n");
  expect(await files.append("file_2", 0, [])).toBe(0);
  expect(existsSync(join(folder, "file_2"))).toBe(false);
});
