import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDataFolderFault, findPortFault } from "@/lib/dev/launch/find-start-fault";

test("a port in use is named together with its variable, a free one is left free", async () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  expect(await findPortFault("PORT", "127.0.0.1", listener.port)).toBe(
    `Port ${listener.port} is in use: stop the program that has it, or set PORT to another.`,
  );
  listener.stop(true);
  expect(await findPortFault("PORT", "127.0.0.1", listener.port)).toBeNull();
  expect(await findPortFault("PORT", "127.0.0.1", listener.port)).toBeNull();
});

test("an address of another machine is refused", async () => {
  expect(await findPortFault("PORT", "192.0.2.1", 3000)).toContain("set HOST to an address of this machine");
});

test("a data folder is made when missing, and a file in its place is named", () => {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-room-"));
  try {
    const folder = join(root, "a", "b");
    expect(findDataFolderFault(folder)).toBeNull();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(root, "file"), "");
    expect(findDataFolderFault(join(root, "file"))).toContain("is a file");
    expect(findDataFolderFault(join(root, "file", "below"))).toContain("is within a file");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
