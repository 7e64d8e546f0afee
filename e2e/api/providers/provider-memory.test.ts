import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { createProjectKey } from "../../support/programs/create-project-key";
import { type Gateway, startGateway } from "../../support/programs/start-gateway";
import {
  chunkEvent,
  type ProviderScript,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

// Each of these replies is a GiB, of which the gateway may keep 64 MiB in memory.
const MORE_MEGABYTES = 250;
const GIBIBYTE = 1 << 30;
const MEBIBYTE = 1 << 20;

const configFile = join(tmpdir(), `gatehouse-memory-${process.pid}.yaml`);
let provider: ScriptedProvider;
let gateway: Gateway;
let key: string;

async function serve(answer: ProviderScript, limits: Readonly<Record<string, unknown>> = {}) {
  provider = startScriptedProvider();
  provider.answerWith(answer);
  await writeFile(configFile, scriptedConfiguration(provider, limits));
  gateway = await startGateway({ GATEHOUSE_CONFIG: configFile });
  key = await createProjectKey(gateway);
}

afterEach(async () => {
  await gateway.stop();
  await provider.stop();
  await rm(configFile);
});

const buildBody = (stream: boolean) =>
  JSON.stringify({ model: "fake", messages: [{ role: "user", content: "Hello" }], stream });

async function call(stream: boolean): Promise<string> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key, body: buildBody(stream) });
  return reply.text();
}

/** Asks for a stream, and reads nothing of it. */
function callWithoutReading() {
  const { hostname, port } = new URL(gateway.baseUrl);
  const body = buildBody(true);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const open = (socket: Bun.Socket) => {
    socket.write(head + body);
    socket.pause();
  };
  return Bun.connect({ hostname, port: Number(port), socket: { open, data() {} } });
}

function peakMegabytes(): number {
  const status = readFileSync(`/proc/${gateway.pid()}/status`, "utf8");
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
}

function endless(start: string, mebibyte = Buffer.alloc(MEBIBYTE, "x")): ReadableStream<Uint8Array> {
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
  await serve(answer);
  const before = peakMegabytes();
  expect(await call(stream)).toContain("provider_error");
  expect(peakMegabytes() - before).toBeLessThan(MORE_MEGABYTES);
});

test.if(process.platform === "linux")("bombs that come at once take what each may, and no more", async () => {
  const packed = bomb();
  await serve(() => new Response(packed.slice(), { headers: compressed }));
  const before = peakMegabytes();
  const replies = await Promise.all(Array.from({ length: 4 }, (_, index) => call(index % 2 === 0)));
  for (const reply of replies) expect(reply).toContain("provider_error");
  expect(peakMegabytes() - before).toBeLessThan(2 * MORE_MEGABYTES);
});

test.if(process.platform === "linux")(
  "a reader that doesn't read stops the provider, and fills no memory",
  async () => {
    const event = chunkEvent({ content: "x".repeat(1000) });
    const events = Buffer.from(event.repeat(MEBIBYTE / event.length));
    await serve(() => new Response(endless(event, events), { headers: eventStream }), {
      timeouts: { idle_seconds: 0.5 },
    });
    const before = peakMegabytes();
    const reader = await callWithoutReading();
    await until("the provider is called", () => provider.visits.length > 0);
    await provider.visits[0]?.aborted;
    expect(peakMegabytes() - before).toBeLessThan(MORE_MEGABYTES);
    reader.terminate();
  },
);
