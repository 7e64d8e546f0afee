import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey, send } from "../../support/clients/send";
import { createProjectKey } from "../../support/programs/create-project-key";
import { type Gateway, startGateway } from "../../support/programs/start-gateway";
import { makeDataFolder } from "../../support/programs/start-program";
import { writeConfiguration } from "../../support/programs/write-configuration";
import {
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: Gateway;
let dataFolder: string;

beforeEach(async () => {
  provider = startScriptedProvider();
  provider.answerWith(() =>
    Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  );
  dataFolder = await makeDataFolder();
});

afterEach(async () => {
  await gateway.stop();
  await provider.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

const start = (env: Record<string, string>) => startGateway({ GATEHOUSE_DATA: dataFolder, ...env });

const create = (id: string, base_url: string) =>
  send(`${gateway.baseUrl}/organization/providers`, {
    method: "POST",
    key: gateway.adminKey,
    body: { id, kind: "openai", base_url },
  });

async function call(model: string) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: await createProjectKey(gateway),
    body: { model, messages: [{ role: "user", content: "Hello" }] },
  });
  return { status: reply.status, text: await reply.text() };
}

test("a provider that is added at a private address is refused, unless its host is named", async () => {
  gateway = await start({ GATEHOUSE_PROVIDER_HOSTS: "10.0.0.7" });
  for (const host of [
    "127.0.0.1:11434",
    "169.254.169.254",
    "[::1]:80",
    "[fd00:ec2::254]",
    "localhost:11434",
  ]) {
    const { status, error } = await create("private", `http://${host}/v1`);
    expect([host, status, error]).toMatchObject([host, 400, { param: "base_url" }]);
    expect(error.message).toContain("GATEHOUSE_PROVIDER_HOSTS");
  }
  expect((await create("named", "http://10.0.0.7/v1")).status).toBe(200);
  expect((await create("public", "https://api.openai.com/v1")).status).toBe(200);
});

test("an existing provider gets no calls once its host is no longer allowed", async () => {
  gateway = await start({});
  const api = adminApi({ baseUrl: gateway.baseUrl, adminKey: gateway.adminKey });
  await api.createProvider("near", provider.baseUrl);
  await api.call("POST", "/models", {
    id: "near-model",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1.00", output_per_1m: "2.00" },
    routes: [{ provider: "near", model: "m" }],
  });
  expect((await call("near-model")).status).toBe(200);
  const { adminKey } = gateway;
  await gateway.stop();
  gateway = { ...(await start({ GATEHOUSE_PROVIDER_HOSTS: "" })), adminKey };
  expect((await call("near-model")).status).toBe(502);
  expect(provider.visits).toHaveLength(1);
});

test("the configuration file is the operator's word: its providers may be anywhere", async () => {
  gateway = await start({
    GATEHOUSE_PROVIDER_HOSTS: "",
    GATEHOUSE_CONFIG: writeConfiguration(scriptedConfiguration(provider)),
  });
  expect((await call("fake")).status).toBe(200);
});
