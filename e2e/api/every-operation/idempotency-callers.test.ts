import { afterEach, beforeEach, expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(async () => {
  provider = startScriptedProvider();
  let answers = 0;
  provider.answerWith(() => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    return Response.json(chatCompletion(`answer ${++answers}`, usage));
  });
  gateway = await serveGateway({ config: scriptedConfiguration(provider) });
});
afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

const send = ({ apiKey = gateway.key, operation = "chat/completions" } = {}) =>
  fetchWithKey(`${gateway.baseUrl}/${operation}`, {
    key: apiKey,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], max_tokens: 10 },
    headers: { "idempotency-key": "k1" },
  });

test("another key of the same project gets no reply that was kept for this one", async () => {
  const first = await send();
  const path = `/organization/projects/${gateway.projectId}/api_keys`;
  const { value } = await gateway.admin<{ value: string }>("POST", path, { name: "Other" });
  const kept = await first.text();
  const other = await send({ apiKey: value });
  expect([other.status, other.headers.get("idempotency-replayed")]).toEqual([200, null]);
  const own = await other.text();
  expect(own).not.toBe(kept);
  expect(await (await send({ apiKey: value })).text()).toBe(own);
  expect(await (await send()).text()).toBe(kept);
  expect(provider.visits).toHaveLength(2);
});

test("the same key and body are another request where another operation is asked", async () => {
  expect((await send()).status).toBe(200);
  const other = await send({ operation: "messages" });
  expect(other.status).toBe(409);
  expect((await other.json()).error.code).toBe("idempotency_conflict");
});
