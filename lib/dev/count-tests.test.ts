import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { countPlaywright } from "@/lib/dev/run-browser-tests";
import { runBunTests } from "@/lib/dev/run-bun-tests";

async function runSample(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sample-"));
  try {
    const file = `${folder}/sample.test.ts`;
    writeFileSync(file, source);
    return await runBunTests([relative(process.cwd(), file)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const head = 'import { expect, test } from "bun:test";';

test("passed, failed and skipped tests are counted", async () => {
  const run = await runSample(`${head}
    test("a", () => expect(1).toBe(1)); test("b", () => expect(1).toBe(2)); test.skip("c", () => {});`);
  expect(run).toMatchObject({ passed: 1, failed: 1, skipped: 1, filesRead: 1 });
});

test("a file that breaks before its first test, one that ends the process, and none at all are failures", async () => {
  expect((await runSample("throw new Error('broken');")).failed).toBe(1);
  expect((await runSample(`${head} test("a", () => process.exit(0));`)).failed).toBe(1);
  expect((await runBunTests([])).failed).toBe(1);
});

test("a browser test that passed on a retry counts as failed, an empty report as nothing", () => {
  const stats = { expected: 5, unexpected: 2, flaky: 1, skipped: 3 };
  expect(countPlaywright(JSON.stringify({ stats }))).toEqual({ passed: 5, failed: 3, skipped: 3 });
  expect(countPlaywright("{}")).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
