import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonVerifier, typescriptVerifier } from "@/lib/console/snippets/api-snippets";
import { HOUR_MS } from "@/lib/contract/durations";
import { deriveCallbackSecret, signCallback } from "@/lib/gateway/tasks/callbacks/post-callback";

const secret = deriveCallbackSecret(new Uint8Array(32).fill(7), "project 1");
const previous = deriveCallbackSecret(new Uint8Array(32).fill(7), "project 0");
const stranger = deriveCallbackSecret(new Uint8Array(32).fill(8), "project 1");
const body = '{"type":"task.succeeded","data":{"model":"größe"}}';

const sign = (secrets: Parameters<typeof signCallback>[0], agoMs = 0) =>
  signCallback(secrets, { id: "task_1", body, atMs: Date.now() - agoMs });

const cases = [
  ["one that is genuine", sign(secret), body, true],
  ["one of a time when a replaced secret signs, too", sign([previous, secret]), body, true],
  ["one whose body was changed", sign(secret), body.replace("succeeded", "failed"), false],
  ["one that somebody else signed", sign(stranger), body, false],
  ["one that is an hour old", sign(secret, HOUR_MS), body, false],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-snippets-"));
  await writeFile(join(folder, "verify.ts"), typescriptVerifier);
  await writeFile(join(folder, "verify.py"), pythonVerifier);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program beside the snippet with the arguments in its input. @returns what it printed. */
function run(command: readonly string[], input: object): string {
  const { stdout, stderr } = Bun.spawnSync([...command], {
    cwd: folder,
    stdin: Buffer.from(JSON.stringify(input)),
    env: { ...process.env, CALLBACK_SECRET: secret.reveal() },
  });
  return stdout.toString().trim() || stderr.toString();
}

test.each(cases)("the TypeScript snippet judges %s", (_, headers, sent, isGenuine) => {
  const program = `
    const { isGenuine } = await import("./verify.ts");
    const { headers, sent } = await Bun.stdin.json();
    console.log(isGenuine(new Headers(headers), sent));`;
  expect(run([process.execPath, "-e", program], { headers, sent })).toBe(String(isGenuine));
});

test.skipIf(Bun.which("python3") === null).each(cases)(
  "the Python snippet judges %s",
  (_, headers, sent, isGenuine) => {
    const program = `
import json, sys
from verify import is_genuine
asked = json.load(sys.stdin)
print(str(is_genuine(asked["headers"], asked["sent"].encode())).lower())`;
    expect(run(["python3", "-c", program], { headers, sent })).toBe(String(isGenuine));
  },
);
