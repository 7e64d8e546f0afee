import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedModels } from "../../support/gateways/serve-scripted-models";
import type { ScriptedProvider } from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: OpenAI;

beforeAll(async () => {
  ({ provider, gateway, client } = await serveScriptedModels(
    `
  - id: vectors
    family: embedding
    rate: "0.5"
    price: { input_per_1m: "1.00", output_per_1m: "0" }
    routes: [{ provider: scripted, model: text-embedding-3-small }]
    rate_limits: { max_tokens_per_1_minute: 1000 }
  - id: dear
    family: embedding
    rate: "1"
    price: { input_per_1m: "11000000", output_per_1m: "0" }
    routes: [{ provider: scripted, model: text-embedding-3-small }]
`,
    { isExpectedFault: isProviderFault },
  ));
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

const model = "sandbox-embedding";
const available = async () =>
  (await gateway.admin<{ available: string; held: string }>("GET", "/organization/balance")).available;
const post = (body: object, headers: Record<string, string> = {}) =>
  send(`${gateway.baseUrl}/embeddings`, { method: "POST", key: gateway.key, body, headers });
const dot = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

describe("the sandbox's embeddings through the official SDK", () => {
  test("are near for texts that share words, and cost their words", async () => {
    const { data, usage } = await client.embeddings.create({
      model,
      input: ["the gate is open", "The gate is shut", "nothing in common whatsoever"],
    });
    expect(usage).toEqual({ prompt_tokens: 12, total_tokens: 12 });
    const [open = [], shut = [], other = []] = data.map(({ embedding }) => embedding);
    expect(open).toHaveLength(256);
    expect(dot(open, open)).toBeCloseTo(1, 5);
    expect(dot(open, shut)).toBeGreaterThan(dot(open, other));
    // 12 × 0.10 ÷ 1,000,000 × 0.5
    expect(await available()).toBe("9.9999994");
  });

  test("are the same as numbers and in base64, of as many dimensions as asked for, also of tokens", async () => {
    const ask = { model, input: [[1, 2, 3], [4]], dimensions: 8 };
    const numbers = await client.embeddings.create({ ...ask, encoding_format: "float" });
    const packed = await client.embeddings.create(ask);
    expect(numbers.usage.prompt_tokens).toBe(4);
    expect(packed.data.map(({ embedding }) => embedding)).toEqual(
      numbers.data.map(({ embedding }) => embedding),
    );
    expect(numbers.data[0]?.embedding).toHaveLength(8);
  });

  test("are refused where they are so many and so long that making them would hold up every call", async () => {
    const before = await available();
    const many = await post({ model, input: Array.from({ length: 200 }, () => "x"), dimensions: 100_000 });
    expect([many.status, many.error.code, many.error.message]).toEqual([
      400,
      "provider_error",
      expect.stringContaining("at most 524288 numbers"),
    ]);
    expect(await available()).toBe(before);
    expect((await post({ model, input: "x", dimensions: 100_000 })).status).toBe(200);
  });

  test("come once for an idempotency key, and are charged once", async () => {
    const body = { model, input: "only once" };
    const first = await post(body, { "idempotency-key": "vectors" });
    const before = await available();
    const again = await post(body, { "idempotency-key": "vectors" });
    expect([again.status, again.body, await available()]).toEqual([200, first.body, before]);
    const other = await post({ ...body, input: "other" }, { "idempotency-key": "vectors" });
    expect(other.status).toBe(409);
  });
});

describe("a request for embeddings is refused", () => {
  test.each([
    [{ model }, "input", "missing_field"],
    [{ model, input: "" }, "input", "invalid_value"],
    [{ model, input: [] }, "input", "invalid_value"],
    [{ model, input: [1, "two"] }, "input", "invalid_value"],
    [{ model, input: Array(2_049).fill("x") }, "input", "invalid_value"],
    [{ model, input: "x", dimensions: 0 }, "dimensions", "invalid_value"],
    [{ model, input: "x", encoding_format: "hex" }, "encoding_format", "invalid_value"],
    [{ model: "sandbox-echo", input: "x" }, "model", "invalid_value"],
  ])("by its field (%#)", async (body, param, code) => {
    expect(await post(body)).toMatchObject({ status: 400, error: { param, code } });
  });

  test("where it is more than the limit on tokens or the balance lets through, and nothing is sent", async () => {
    provider.answerWith(() => new Response("{}"));
    provider.visits.length = 0;
    const before = await available();
    const overLimit = await post({ model: "vectors", input: [Array(1_001).fill(7)] });
    expect(overLimit).toMatchObject({ status: 429, error: { code: "max_tokens_per_1_minute" } });
    const overBalance = await post({ model: "dear", input: "two words" });
    expect(overBalance).toMatchObject({ status: 402, error: { code: "insufficient_balance" } });
    expect([provider.visits, await available()]).toEqual([[], before]);
  });

  test("of a chat model's endpoint too: an embedding model does not chat", async () => {
    const reply = await send(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      key: gateway.key,
      body: { model, messages: [{ role: "user", content: "Hi" }] },
    });
    expect(reply).toMatchObject({ status: 400, error: { param: "model" } });
  });
});

describe("a provider's embeddings", () => {
  const vector = (size: number) => Array.from({ length: size }, (_, at) => at / size);
  const reply = (size: number, more: object) =>
    JSON.stringify({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: vector(size) }],
      ...more,
    });
  const charged = async (input: string) => {
    const before = Number(await available());
    const { status, body } = await post({ model: "vectors", input });
    return { status, body, charge: Math.round((before - Number(await available())) * 1e9) };
  };

  test.each([3, 50_000])("of %i numbers pass through, and cost the tokens it reports", async (size) => {
    const sent = reply(size, { usage: { prompt_tokens: 2, total_tokens: 2 } });
    provider.answerWith(() => new Response(sent));
    const { status, body, charge } = await charged("two words");
    expect([status, charge]).toEqual([200, 1_000]);
    expect((body.data as { embedding: number[] }[])[0]?.embedding).toEqual(vector(size));
    const visit = provider.visits.at(-1);
    expect([visit?.path, JSON.parse(visit?.body ?? "")]).toEqual([
      "/v1/embeddings",
      { model: "text-embedding-3-small", input: "two words" },
    ]);
  });

  test("without a usage cost what was estimated, and say so", async () => {
    provider.answerWith(() => new Response(reply(3, {})));
    const { body, charge } = await charged("two words");
    const { prompt_tokens, total_tokens } = body.usage as Record<string, number>;
    expect([prompt_tokens, charge]).toEqual([total_tokens, (prompt_tokens ?? 0) * 500]);
    expect(prompt_tokens).toBeGreaterThan(1);
  });

  test.each([
    ["zeros", { prompt_tokens: 0, total_tokens: 0 }],
    ["a token for sixty words", { prompt_tokens: 1, total_tokens: 1 }],
    ["nothing that is a count", { prompt_tokens: "many" }],
  ])("that report %s cost what was estimated", async (_, usage) => {
    provider.answerWith(() => new Response(reply(3, { usage })));
    const { body, charge } = await charged("two words ".repeat(30));
    const { prompt_tokens = 0, total_tokens = 0 } = body.usage as Record<string, number>;
    expect([prompt_tokens, charge]).toEqual([total_tokens, prompt_tokens * 500]);
    expect(prompt_tokens).toBeGreaterThan(30);
  });

  test.each([
    ["a total alone", { total_tokens: 6 }],
    ["another name", { input_tokens: 6 }],
    ["text", { prompt_tokens: "6", total_tokens: "6" }],
  ])("that report %s cost it, and show it under its name", async (_, usage) => {
    provider.answerWith(() => new Response(reply(3, { usage })));
    const { body, charge } = await charged("two words");
    expect([body.usage, charge]).toEqual([{ prompt_tokens: 6, total_tokens: 6 }, 3_000]);
  });

  const numbers = [0.5, -0.25, 3];
  const packed = Buffer.from(new Float32Array(numbers).buffer).toString("base64");
  const answerIn = (embedding: unknown) => {
    const items = [{ object: "embedding", index: 0, embedding }];
    const usage = { prompt_tokens: 2, total_tokens: 2 };
    provider.answerWith(() => Response.json({ object: "list", data: items, model: "own", usage }));
  };
  const embedded = async (more: object) => {
    const { body } = await post({ model: "vectors", input: "two words", ...more });
    return (body.data as { embedding: unknown }[])[0]?.embedding;
  };

  test.each([
    ["base64", { encoding_format: "base64" }, packed],
    ["numbers", { encoding_format: "float" }, numbers],
    ["no form", {}, numbers],
  ])("come in the form that was asked for: %s", async (_, form, expected) => {
    for (const sent of [packed, numbers]) {
      answerIn(sent);
      expect(await embedded(form)).toEqual(expected);
    }
  });

  test("come in the form that was asked for where they are long, and to the official library", async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => index / 8);
    answerIn(many);
    expect(await embedded({ encoding_format: "base64" })).toBe(
      Buffer.from(new Float32Array(many).buffer).toString("base64"),
    );
    const { data } = await client.embeddings.create({ model: "vectors", input: "two words" });
    expect(data[0]?.embedding).toEqual(many);
  });

  test("stay as they are where they have a type of their own, or are in no form that is known", async () => {
    answerIn([1, 2, 3]);
    expect(await embedded({ encoding_format: "base64", output_dtype: "int8" })).toEqual([1, 2, 3]);
    answerIn("not base64!");
    expect(await embedded({})).toBe("not base64!");
  });

  test("are asked for without a form where base64 is refused, at once from then on", async () => {
    const items = [{ object: "embedding", index: 0, embedding: numbers }];
    provider.visits.length = 0;
    provider.answerWith(({ body }) =>
      JSON.parse(body).encoding_format === undefined
        ? Response.json({ data: items, usage: { prompt_tokens: 2 } })
        : Response.json({ error: { message: "encoding_format: Input should be 'float'" } }, { status: 400 }),
    );
    expect(await embedded({ encoding_format: "base64" })).toBe(packed);
    expect(await embedded({ encoding_format: "base64" })).toBe(packed);
    expect(provider.visits.map(({ body }) => JSON.parse(body).encoding_format)).toEqual([
      "base64",
      undefined,
      undefined,
    ]);
  });

  test.each(["{}", '{"data":[],"usage":{"prompt_tokens":2,"total_tokens":2}}', '{"data":{}}', "no JSON", ""])(
    "that are none cost nothing: %s",
    async (text) => {
      provider.answerWith(() => new Response(text));
      expect(await charged("two words")).toMatchObject({ status: 502, charge: 0 });
    },
  );
});

test("a key limited to embeddings makes them, and nothing else", async () => {
  const { value } = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${gateway.projectId}/api_keys`,
    { name: "Vectors", endpoints: ["embeddings"] },
  );
  const ask = (path: string, body: object) =>
    send(`${gateway.baseUrl}${path}`, { method: "POST", key: value, body });
  expect((await ask("/embeddings", { model, input: "x" })).status).toBe(200);
  const chat = await ask("/chat/completions", {
    model: "sandbox-echo",
    messages: [{ role: "user", content: "x" }],
  });
  expect(chat).toMatchObject({ status: 403, error: { code: "outside_key_scope" } });
});
