import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedModels } from "../../support/gateways/serve-scripted-models";
import type { ScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: OpenAI;

beforeAll(async () => {
  ({ provider, gateway, client } = await serveScriptedModels(
    `
  - id: judge
    family: moderation
    rate: "1"
    price: { input_per_1m: "1.00", output_per_1m: "0" }
    routes: [{ provider: scripted, model: omni-moderation-latest }]
    rate_limits: { max_tokens_per_1_minute: 1000 }
`,
    { isExpectedFault: isProviderFault },
  ));
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

const model = "sandbox-moderation";
const available = async () =>
  (await gateway.admin<{ available: string }>("GET", "/organization/balance")).available;
const post = (body: object, { key = gateway.key, headers = {} } = {}) =>
  send(`${gateway.baseUrl}/moderations`, { method: "POST", key, body, headers });

describe("the sandbox's moderation through the official SDK", () => {
  test("judges each text by itself, and costs their words", async () => {
    const { results } = await client.moderations.create({
      model,
      input: ["a quiet day", "some sandbox-violence here", "sandbox-hate"],
    });
    expect(results.map(({ flagged }) => flagged)).toEqual([false, true, true]);
    expect(results[1]?.categories).toMatchObject({ violence: true, hate: false });
    expect(results[1]?.category_scores).toMatchObject({ violence: 1, hate: 0 });
    // 7 words × 0.10 ÷ 1,000,000 × 0.5
    expect(await available()).toBe("9.99999965");
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("judges the parts of one input together", async () => {
    const parts = ["a quiet day", "sandbox-self-harm"].map((text) => ({ type: "text" as const, text }));
    const { results } = await client.moderations.create({ model, input: parts });
    expect(results).toHaveLength(1);
    expect(results[0]?.categories["self-harm"]).toBe(true);
  });

  test("comes once for an idempotency key, and is charged once", async () => {
    const headers = { "idempotency-key": "judge" };
    const first = await post({ model, input: "once" }, { headers });
    const before = await available();
    const again = await post({ model, input: "once" }, { headers });
    expect([again.status, again.body, await available()]).toEqual([200, first.body, before]);
    expect((await post({ model, input: "other" }, { headers })).status).toBe(409);
  });
});

describe("a provider's moderation", () => {
  test("passes through with the usage that was charged, which such providers don't report", async () => {
    const sent = {
      id: "modr-1",
      model: "omni",
      results: [{ flagged: false, categories: {}, category_scores: {} }],
    };
    provider.answerWith(() => Response.json(sent));
    const before = Number(await available());
    const { status, body } = await post({ model: "judge", input: "two words" });
    const { usage, ...rest } = body as { usage: { prompt_tokens: number } };
    expect([status, rest as object]).toEqual([200, { ...sent, model: "judge" }]);
    expect(Math.round((before - Number(await available())) * 1e6)).toBe(usage.prompt_tokens);
    const visit = provider.visits.at(-1);
    expect([visit?.path, JSON.parse(visit?.body ?? "")]).toEqual([
      "/v1/moderations",
      { model: "omni-moderation-latest", input: "two words" },
    ]);
  });

  test.each(["{}", '{"results":{}}', "no JSON", ""])("that is none costs nothing: %s", async (text) => {
    provider.answerWith(() => new Response(text));
    const before = await available();
    expect((await post({ model: "judge", input: "x" })).status).toBe(502);
    expect(await available()).toBe(before);
  });
});

describe("a request for a moderation is refused", () => {
  const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
  test.each([
    [{ model }, "input", "missing_field"],
    [{ model, input: "" }, "input", "invalid_value"],
    [{ model, input: [] }, "input", "invalid_value"],
    [{ model, input: ["x", ""] }, "input.1", "invalid_value"],
    [{ model, input: [image] }, "input", "invalid_value"],
    [{ model, input: Array(2_049).fill("x") }, "input", "invalid_value"],
    [{ model: "sandbox-echo", input: "x" }, "model", "invalid_value"],
    [{ model: "sandbox-image", input: "x" }, "model", "invalid_value"],
  ])("by its field (%#)", async (body, param, code) => {
    expect(await post(body)).toMatchObject({ status: 400, error: { param, code } });
  });

  test("beyond the tokens of a minute, and nothing is sent", async () => {
    const visits = provider.visits.length;
    const refused = await post({ model: "judge", input: "word ".repeat(2_000) });
    expect(refused).toMatchObject({ status: 429, error: { code: "max_tokens_per_1_minute" } });
    expect(provider.visits).toHaveLength(visits);
  });
});

test("a key limited to moderations asks for them, and for nothing else", async () => {
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const { value } = await gateway.admin<{ value: string }>("POST", keys, {
    name: "Judge",
    endpoints: ["moderations"],
  });
  expect((await post({ model, input: "x" }, { key: value })).status).toBe(200);
  const other = await send(`${gateway.baseUrl}/embeddings`, {
    method: "POST",
    key: value,
    body: { model: "sandbox-embedding", input: "x" },
  });
  expect(other).toMatchObject({ status: 403, error: { code: "outside_key_scope" } });
});
