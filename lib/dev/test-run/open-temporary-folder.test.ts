import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { openTemporaryFolder } from "@/lib/dev/test-run/open-temporary-folder";

test("a folder is there until its run ends", async () => {
  const folder = await openTemporaryFolder();
  expect(existsSync(folder.path)).toBe(true);
  folder[Symbol.dispose]();
  expect(existsSync(folder.path)).toBe(false);
});

test.each(["SIGINT", "SIGTERM"] as const)("a folder is deleted when %s ends the run", async (signal) => {
  const source = `
    import { openTemporaryFolder } from "@/lib/dev/test-run/open-temporary-folder";
    console.log((await openTemporaryFolder()).path);
    setInterval(() => {}, 1_000);
    process.kill(process.pid, "${signal}");`;
  const run = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe" });
  const path = (await new Response(run.stdout).text()).trim();
  expect(path).toContain("gatehouse-tests-");
  expect(existsSync(path)).toBe(false);
  expect(await run.exited).toBe(signal === "SIGINT" ? 130 : 143);
});
