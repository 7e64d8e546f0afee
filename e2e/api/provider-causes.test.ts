import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:net";
import { joinBy } from "../support/member-client";
import { selfSigned } from "../support/self-signed";
import { send } from "../support/send";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider";

let gateway: ServedGateway;
let provider: ScriptedProvider;
let tester: { token: string };
const certified = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: selfSigned,
  fetch: () => new Response(),
});

beforeAll(async () => {
  provider = startScriptedProvider();
  gateway = await serveGateway();
  tester = await joinBy(gateway, "tester@example.com", "prompt_tester");
  for (const [id, base_url] of [
    ["closed", `http://127.0.0.1:${await closedPort()}/v1`],
    ["unknown-host", "http://nowhere.invalid/v1"],
    ["self-signed", `https://127.0.0.1:${certified.port}/v1`],
    ["answering", provider.baseUrl],
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
  [403, /The provider "answering" forbids the call to the gateway's key \(403\)/],
  [404, /The provider "answering" knows no model "upstream-name"/],
  [500, /The provider "answering" answered with status 500\./],
])("status %d of a provider is told apart, without a word of its reply", async (status, cause) => {
  provider.answerWith(() => Response.json({ error: { message: "Bad key sk-1" } }, { status }));
  const told = await ask(gateway.adminKey, "answering");
  expect(told).toMatch(cause);
  expect(told).not.toContain("sk-1");
  expect(await ask(tester.token, "answering")).not.toContain(String(status));
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
