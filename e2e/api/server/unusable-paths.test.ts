import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-paths-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Runs a program that ends by itself. */
async function run(args: string[], env: Record<string, string>): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([process.execPath, ...args], {
    env: { ...process.env, GATEHOUSE_DATA: join(root, "data"), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const outputs = await Promise.all(
    [child.stdout, child.stderr].map((output) => new Response(output).text()),
  );
  return { code: await child.exited, text: outputs.join("") };
}

const start = async (env: Record<string, string> = {}) => {
  const [port] = await findFreePorts(1);
  return run(["lib/gateway/main.ts"], { GATEWAY_PORT: String(port), ...env });
};

function expectSentence({ code, text }: { code: number; text: string }, ...sentences: string[]): void {
  expect(code).toBe(1);
  for (const sentence of sentences) expect(text).toContain(sentence);
  expect(text).not.toContain("    at ");
}

test.each(["secret", "lock", "gatehouse.sqlite", "store-head"])(
  "a folder in the place of the data folder's file %s ends a start in a sentence that names it",
  async (name) => {
    mkdirSync(join(root, "data", name), { recursive: true });
    expectSentence(await start(), join(root, "data", name));
  },
);

test("everything that is wrong with the paths of a start is said at once", async () => {
  writeFileSync(join(root, "data"), "");
  mkdirSync(join(root, "configuration"));
  const refused = await start({ GATEHOUSE_CONFIG: join(root, "configuration") });
  expectSentence(
    refused,
    `${join(root, "data")} is a file, where a folder is needed: move it away, or set GATEHOUSE_DATA to another folder.`,
    "is a folder, where a file is needed: move it away, or set GATEHOUSE_CONFIG to another file.",
  );
  expectSentence(
    await start({ GATEHOUSE_CONFIG: join(root, "none.yaml") }),
    `${join(root, "none.yaml")} doesn't exist: create it, or set GATEHOUSE_CONFIG to another file.`,
  );
});

test("a secret that every user can read, and a store head that is none, end a start in a sentence", async () => {
  mkdirSync(join(root, "data"));
  const secret = join(root, "data", "secret");
  writeFileSync(secret, Buffer.alloc(32, 7).toString("base64"));
  chmodSync(secret, 0o644);
  expectSentence(await start(), `run chmod 600 ${secret}`);
  chmodSync(secret, 0o600);
  const head = join(root, "data", "store-head");
  writeFileSync(head, "garbage");
  writeFileSync(join(root, "data", "gatehouse.sqlite"), "");
  expectSentence(await start(), `${head} is not as Gatehouse writes it`, "or delete it to go on");
  expect(readdirSync(join(root, "data"))).toContain("store-head");
  expect(statSync(head).size).toBe("garbage".length);
});

test("a command beside the gateway names the path that it can't use, and makes no data", async () => {
  const nothing = await run(["lib/gateway/main.ts", "sign-in-link"], {});
  expectSentence(nothing, "start Gatehouse first");
  expect(readdirSync(root)).toEqual([]);
  mkdirSync(join(root, "data", "gatehouse.sqlite"), { recursive: true });
  for (const args of [[], ["backup", join(root, "copy")]])
    expectSentence(
      await run(["lib/gateway/doctor/run.ts", ...args], {}),
      join(root, "data", "gatehouse.sqlite"),
    );
});

test("a backup into a folder that isn't there, and a configuration that is none, end in a sentence", async () => {
  mkdirSync(join(root, "data"));
  writeFileSync(join(root, "data", "gatehouse.sqlite"), "");
  const doctor = "lib/gateway/doctor/run.ts";
  expectSentence(
    await run([doctor, "backup", join(root, "none", "copy")], {}),
    `${join(root, "none")} doesn't exist: create it, or name another file.`,
  );
  expectSentence(await run([doctor], {}), "No start of Gatehouse has finished on this database yet");
});
