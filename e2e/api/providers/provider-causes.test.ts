import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { joinMember } from "../../support/clients/join-member";
import { fetchWithKey, send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";
import { selfSigned } from "../../support/servers/self-signed";

let gateway: ServedGateway;
let provider: ScriptedProvider;
let tester: { token: string };
const certified = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: selfSigned,
  fetch: () => new Response(),
});

const first = chunkEvent({ content: "Hi" });
/** Begins a stream, and resets the connection behind its first event. */
const resetting = createServer((socket) => {
  const size = Buffer.byteLength(first).toString(16);
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  socket.on("error", () => {});
  socket.once("data", () => socket.write(`${head}${size}\r\n${first}\r\n`, () => socket.end()));
});

// So far apart that no circuit breaker opens.
beforeEach(() => gateway.pass(31_000));

beforeAll(async () => {
  await new Promise<void>((resolve) => resetting.listen(0, "127.0.0.1", resolve));
  provider = startScriptedProvider();
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: scriptedConfiguration(provider, { timeouts: { idle_seconds: 0.2 } }),
    hasRunningClock: true,
  });
  tester = await joinMember(gateway, "tester@example.com", { role: "prompt_tester" });
  for (const [id, base_url] of [
    ["closed", `http://127.0.0.1:${await closedPort()}/v1`],
    ["unknown-host", "http://nowhere.invalid/v1"],
    ["self-signed", `https://127.0.0.1:${certified.port}/v1`],
    ["answering", provider.baseUrl],
    ["resetting", `http://127.0.0.1:${readPort(resetting)}/v1`],
  ] as const) {
    await gateway.admin("POST", "/organization/providers", { id, kind: "openai", base_url, api_key: "sk-1" });
    await gateway.admin("POST", "/organization/models", {
      id,
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1", output_per_1m: "1" },
      routes: [{ provider: id, model: "upstream-name" }],
    });
  }
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
  await certified.stop(true);
  resetting.close();
});

const ask = async (key: string, model: string) => {
  const { status, error } = await send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key,
    headers: { "openai-project": gateway.projectId },
    body: { model, messages: [{ role: "user", content: "Hello" }] },
  });
  expect([status, error.type]).toEqual([502, "service_error"]);
  return error.message ?? "";
};

test.each([
  ["closed", /The provider "closed" refused the connection\. Start it, or correct its base_url\./],
  ["unknown-host", /The host of the provider "unknown-host" can't be found\./],
  ["self-signed", /The certificate of the provider "self-signed" is not accepted \([A-Z_]+\)\./],
])(
  "a provider that is %s is named to whoever may read providers, and to nobody else",
  async (model, cause) => {
    expect(await ask(gateway.adminKey, model)).toMatch(cause);
    for (const key of [tester.token, gateway.key]) expect(await ask(key, model)).not.toContain('provider "');
  },
);

test.each([
  [401, /The provider "answering" refuses the gateway's key \(401\)/],
  [403, /The provider "answering" doesn.t allow the gateway.s key to make this call \(403\)/],
  [404, /The provider "answering" knows no model "upstream-name"/],
  [500, /The provider "answering" answered with status 500\./],
])("status %d of a provider has its own cause, which quotes nothing of the reply", async (status, cause) => {
  provider.answerWith(() => Response.json({ error: { message: "Bad key sk-1" } }, { status }));
  const told = await ask(gateway.adminKey, "answering");
  expect(told).toMatch(cause);
  expect(told).not.toContain("sk-1");
  expect(await ask(tester.token, "answering")).not.toContain(String(status));
});

/** The last event of a stream that broke off. */
async function breakOff(key: string, model = "answering"): Promise<string> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key,
    body: { model, stream: true, messages: [{ role: "user", content: "Hello" }] },
    headers: { "openai-project": gateway.projectId },
  });
  const events = (await reply.text()).trim().split("\n\n");
  expect(reply.status).toBe(200);
  return JSON.parse(events.at(-1)?.slice("data: ".length) ?? "").error.message;
}

test.each([
  [
    "ends early",
    [first],
    /The provider "answering" failed: Its stream ended without a finish reason and without \[DONE\]\./,
  ],
  [
    "sends no JSON",
    [first, 'data: {"choices":\n\n'],
    /"answering" failed: It sent an event that is no JSON\./,
  ],
  [
    "sends an error",
    [first, 'data: {"error":{"message":"Bad key sk-1"}}\n\n'],
    /"answering" failed: It sent an error within its stream: Bad key \*\*\*\./,
  ],
])(
  "the cause of a stream that %s is shown only to callers who may read providers",
  async (_, chunks, cause) => {
    provider.answerWith(() => streamChunks(chunks));
    const told = await breakOff(gateway.adminKey);
    expect(told).toMatch(cause);
    expect(told).not.toContain("sk-1");
    for (const key of [tester.token, gateway.key])
      expect(await breakOff(key)).toBe(
        "The model's provider broke off. You pay only for what was generated until then; try again.",
      );
  },
);

test("a connection that is reset in the middle of a stream is reported as reset", async () => {
  expect(await breakOff(gateway.adminKey, "resetting")).toMatch(
    /The provider "resetting" closed the connection before its answer was complete\./,
  );
  expect(await breakOff(gateway.key, "resetting")).not.toContain('provider "');
});

test("a stalled stream is reported as slower than the provider's timeouts", async () => {
  provider.answerWith(() => streamChunks([first, new Promise<void>(() => {})]));
  expect(await breakOff(gateway.adminKey, "fake")).toMatch(
    /The provider "fake" failed: It was slower than its timeouts allow\./,
  );
  expect(await breakOff(gateway.key, "fake")).not.toContain('provider "');
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = readPort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function readPort(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
