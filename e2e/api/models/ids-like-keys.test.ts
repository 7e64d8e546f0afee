import { afterAll, beforeAll, expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import { fetchWithKey, send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  type ScriptedProvider,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

/** The ends of these ids look like keys of model providers. */
const PROVIDER = "xai-production-europe";
const MODEL = "eu/xai-grok-4-fast-reasoning";

let gateway: ServedGateway;
let provider: ScriptedProvider;
const address = (path: string) => `${gateway.baseUrl}/organization${path}`;
const ask = (path: string, body?: object) => send(address(path), { key: gateway.adminKey, body });

beforeAll(async () => {
  gateway = await serveGateway();
  provider = startScriptedProvider();
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  await ask("/providers", { id: PROVIDER, kind: "openai", base_url: provider.baseUrl, api_key: "one" });
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

const call = () =>
  send(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: MODEL, messages: [{ role: "user", content: "Hi" }], max_tokens: 5 },
  });

test("a provider and a model take effect at once, and a saved limit of the model is enforced", async () => {
  const routes = [{ provider: PROVIDER, model: "m" }];
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const created = await ask("/models", { id: MODEL, family: "chat", rate: "1", price, routes });
  expect(created.status).toBe(200);
  expect((await call()).status).toBe(200);
  await gateway.pass(MINUTE_MS);
  const limit = `/projects/${gateway.projectId}/rate_limits/${encodeURIComponent(MODEL)}`;
  expect((await ask(limit, { max_requests_per_1_minute: 0 })).status).toBe(200);
  expect((await call()).error.code).toBe("max_requests_per_1_minute");
});

test("the audit log names them whole, masks keys in texts, and agrees with the tables", async () => {
  await ask("/projects", { name: `Key sk-${"x".repeat(20)}` });
  const list = async (query: string) => {
    const { body } = await ask(`/audit_logs?${query}`);
    return body.data as { type: string; changes: { id: string; after: Record<string, unknown> | null }[] }[];
  };
  expect((await list(`resource_ids[]=${encodeURIComponent(MODEL)}`)).map(({ type }) => type)).toEqual([
    "model.created",
  ]);
  const [model] = await list("event_types[]=model.created");
  expect(model?.changes[0]?.after).toMatchObject({ id: MODEL, routes: expect.stringContaining(PROVIDER) });
  const [limit] = await list("event_types[]=rate_limit.updated");
  expect(limit?.changes[0]).toMatchObject({ id: `rl_${MODEL}`, after: { model: MODEL } });
  const [project] = await list("event_types[]=project.created");
  expect(project?.changes[0]?.after).toMatchObject({ name: "Key sk-***" });
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a deleted provider is gone at once", async () => {
  const second = "pplx-production-europe";
  await ask("/providers", { id: second, kind: "openai", base_url: "http://127.0.0.1:1/v1", api_key: "one" });
  const list = async () => ((await ask("/providers")).body.data as { id: string }[]).map(({ id }) => id);
  expect(await list()).toContain(second);
  await fetchWithKey(address(`/providers/${second}`), { method: "DELETE", key: gateway.adminKey });
  expect(await list()).not.toContain(second);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});
