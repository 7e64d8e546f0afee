import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILD_SOURCES, fingerprintSources } from "@/lib/dev/build/build-console";
import { ZONES } from "@/lib/dev/import-direction";

let root: string;
const fingerprint = () => fingerprintSources(root, ["app", "next.config.ts", "absent"]);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-fingerprint-"));
  mkdirSync(join(root, "app", "roles"), { recursive: true });
  writeFileSync(join(root, "app", "roles", "page.tsx"), "page");
  writeFileSync(join(root, "next.config.ts"), "config");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("the same sources give the same hash, whenever they were written", async () => {
  const before = await fingerprint();
  utimesSync(join(root, "app", "roles", "page.tsx"), 1, 1);
  writeFileSync(join(root, "app", "roles", "page.test.tsx"), "a test is not part of the build");
  expect(await fingerprint()).toBe(before);
});

test("a change, a new file and a new name each give another hash", async () => {
  const fingerprints = new Set([await fingerprint()]);
  writeFileSync(join(root, "next.config.ts"), "config 2");
  fingerprints.add(await fingerprint());
  writeFileSync(join(root, "app", "layout.tsx"), "");
  fingerprints.add(await fingerprint());
  renameSync(join(root, "app", "layout.tsx"), join(root, "app", "template.tsx"));
  fingerprints.add(await fingerprint());
  expect(fingerprints.size).toBe(4);
});

test("whatever the console may import is among the sources, and each source exists", () => {
  const consoleZones = ZONES.filter(({ path }) => /^(app|components|lib\/console)(\/|$)/.test(path));
  const folders = consoleZones.flatMap(({ path, mayImport }) => [path, ...mayImport]);
  const missing = folders.filter(
    (folder) => !BUILD_SOURCES.some((source) => folder === source || folder.startsWith(`${source}/`)),
  );
  expect(consoleZones.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
  expect(BUILD_SOURCES.filter((source) => !existsSync(source))).toEqual([]);
});
