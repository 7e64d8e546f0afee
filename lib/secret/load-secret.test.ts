import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSecret, SecretError } from "@/lib/secret/load-secret";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-secret-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("is created once, in a folder that need not exist, and readable only by its owner", () => {
  const dataFolder = join(root, "new", "data");
  const first = loadSecret({ dataFolder });
  expect(first).toHaveLength(32);
  expect(loadSecret({ dataFolder })).toEqual(first);
  expect(statSync(join(dataFolder, "secret")).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataFolder)).toEqual(["secret"]);
});

test("processes that start together agree on one", async () => {
  const program = `import { loadSecret } from "@/lib/secret/load-secret";
    console.log(loadSecret({ dataFolder: ${JSON.stringify(root)} }).toString("hex"));`;
  const starts = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, "-e", program]));
  const secrets = await Promise.all(starts.map((child) => new Response(child.stdout).text()));
  expect(new Set(secrets.map((line) => line.trim())).size).toBe(1);
  expect(secrets[0]?.trim()).toMatch(/^[0-9a-f]{64}$/);
});

test("a configured secret takes precedence over the file, and nothing is written", () => {
  const configured = Buffer.alloc(32, 7).toString("base64");
  expect(loadSecret({ configured, dataFolder: root })).toEqual(Buffer.alloc(32, 7));
  expect(readdirSync(root)).toEqual([]);
});

test("a file that every user of the machine can read or write is refused, one of a group is not", () => {
  const first = loadSecret({ dataFolder: root });
  for (const mode of [0o644, 0o604, 0o602, 0o666]) {
    chmodSync(join(root, "secret"), mode);
    expect(() => loadSecret({ dataFolder: root })).toThrow(`run chmod 600 ${join(root, "secret")}`);
  }
  chmodSync(join(root, "secret"), 0o660);
  expect(loadSecret({ dataFolder: root })).toEqual(first);
  expect(readdirSync(root)).toEqual(["secret"]);
});

test.each(["short", Buffer.alloc(31).toString("base64"), `${Buffer.alloc(32).toString("base64")}!`])(
  "%s is refused, configured or in the file",
  (text) => {
    expect(() => loadSecret({ configured: text, dataFolder: root })).toThrow(SecretError);
    writeFileSync(join(root, "secret"), text, { mode: 0o600 });
    expect(() => loadSecret({ dataFolder: root })).toThrow("is not 32 bytes of base64");
  },
);
