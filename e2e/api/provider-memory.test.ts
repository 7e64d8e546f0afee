import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, startGateway } from "../support/start-gateway";
import { type ScriptedProvider, scriptedConfiguration, startScriptedProvider } from "./scripted-provider";

// What one reply may make the gateway hold is 64 MiB, and each of these is a GiB.
const MORE_MEGABYTES = 250;
const GIBIBYTE = 1 << 30;
const MEBIBYTE = 1 << 20;

const configFile = join(tmpdir(), `gatehouse-memory-${process.pid}.yaml`);
let provider: ScriptedProvider;
let gateway: Gateway;
let key: string;

beforeEach(async () => {
  provider = startScriptedProvider();
  await writeFile(configFile, scriptedConfiguration(provider));
  gateway = await startGateway({ GATEHOUSE_CONFIG: configFile });
  key = await createKey();
});

afterEach(async () => {
  await gateway.stop();
  await provider.stop();
  await rm(configFile);
});

async function createKey(): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.adminKey}` };
  const address = `${gateway.baseUrl}/organization/projects`;
  const { data } = await (await fetch(address, { headers })).json();
  const init = { method: "POST", headers, body: JSON.stringify({ name: "Test" }) };
  const { value } = await (await fetch(`${address}/${data[0].id}/api_keys`, init)).json();
  return value;
}

async function call(stream: boolean): Promise<string> {
  const reply = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "fake", messages: [{ role: "user", content: "Hello" }], stream }),
  });
  return reply.text();
}

function peakMegabytes(): number {
  const status = readFileSync(`/proc/${gateway.pid()}/status`, "utf8");
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
}

function endless(start: string): ReadableStream<Uint8Array> {
  const mebibyte = Buffer.alloc(MEBIBYTE, "x");
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(sent === 0 ? Buffer.from(start) : mebibyte);
      if (++sent > GIBIBYTE / MEBIBYTE) controller.close();
    },
  });
}

const bomb = () => new Uint8Array(Bun.zstdCompressSync(new Uint8Array(GIBIBYTE)));
const compressed = { "content-encoding": "zstd" };
const eventStream = { "content-type": "text/event-stream" };

test.if(process.platform === "linux").each([
  ["an answer without end", false, () => new Response(endless('{"choices":["'))],
  ["an answer that is a compression bomb", false, () => new Response(bomb(), { headers: compressed })],
  ["a stream of one line", true, () => new Response(endless("data: "), { headers: eventStream })],
  [
    "a stream that is a compression bomb",
    true,
    () => new Response(bomb(), { headers: { ...eventStream, ...compressed } }),
  ],
] as const)("%s does not fill the memory", async (_name, stream, answer) => {
  provider.answerWith(answer);
  const before = peakMegabytes();
  expect(await call(stream)).toContain("provider_error");
  expect(peakMegabytes() - before).toBeLessThan(MORE_MEGABYTES);
});
