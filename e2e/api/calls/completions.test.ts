import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import OpenAI, { APIError } from "openai";
import { listCharges, readHeld } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

const opened: ServedGateway[] = [];

async function open(options?: Parameters<typeof serveGateway>[0]) {
  const gateway = await serveGateway({ isExpectedFault: isProviderFault, ...options });
  opened.push(gateway);
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  return { gateway, client };
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

const ask = (content: string, more: object = {}) => ({
  model: "sandbox-echo",
  messages: [{ role: "user" as const, content }],
  ...more,
});

async function catchRefusal(call: Promise<unknown>): Promise<APIError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) return error;
  throw new Error(`It was not refused: ${error}`);
}

test("a whole and a streamed answer through the official SDK, each charged to the word", async () => {
  const { gateway, client } = await open();
  const whole = await client.chat.completions.create(ask("Say these four words"));
  expect(whole.choices[0]?.message.content).toBe("Say these four words");
  expect(whole.usage).toEqual({ prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 });
  expect(whole.system_fingerprint).toBe("sandbox-no-ai");

  const stream = await client.chat.completions.create({
    ...ask("Two words"),
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  let usage: unknown;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage ?? usage;
  }
  expect([text, usage]).toEqual(["Two words", { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 }]);

  // (4 × 1.00 + 4 × 2.00 + 2 × 1.00 + 2 × 2.00) ÷ 1,000,000 × 0.5
  const balance = await gateway.admin<{ available: string; held: string }>("GET", "/organization/balance");
  expect(balance).toMatchObject({ available: "9.999991", held: "0.00" });
  expect(await listCharges(gateway)).toMatchObject([
    { amount: "0.000006", basis: "reported", prompt_tokens: 4, completion_tokens: 4 },
    { amount: "0.000003", basis: "reported", prompt_tokens: 2, completion_tokens: 2 },
  ]);
});

test("the fourth call of three a minute is a 429 that says which limit, and passes when it says", async () => {
  const { gateway, client } = await open();
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 3 });
  for (let call = 0; call < 3; call++) {
    const { response } = await client.chat.completions.create(ask("Hello")).withResponse();
    expect(response.headers.get("x-ratelimit-limit-requests")).toBe("3");
    expect(response.headers.get("x-ratelimit-remaining-requests")).toBe(String(2 - call));
  }
  const refused = await catchRefusal(client.chat.completions.create(ask("Hello")));
  expect([refused.status, refused.type, refused.code]).toEqual([
    429,
    "rate_limit_error",
    "max_requests_per_1_minute",
  ]);
  expect(refused.headers?.get("x-ratelimit-remaining-requests")).toBe("0");
  expect(refused.headers?.get("x-request-id")).toMatch(/^req_/);
  const seconds = Number(refused.headers?.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  gateway.pass((seconds - 1) * 1000);
  await catchRefusal(client.chat.completions.create(ask("Hello")));
  gateway.pass(1000);
  await client.chat.completions.create(ask("Hello"));
  expect(await listCharges(gateway)).toHaveLength(4);
});

test("the balance lowers max_tokens to what it covers; below that, a 402 says how much is needed", async () => {
  const { gateway, client } = await open({ balance: "0.000007" });
  const { data, response } = await client.chat.completions
    .create(ask("one two three four", { max_tokens: 50 }))
    .withResponse();
  // 4 prompt tokens cost 0.000002, which leaves 5 of output at 0.000001.
  expect(response.headers.get("x-gatehouse-max-tokens")).toBe("5");
  expect(data.choices[0]?.message.content).toBe("one two three four");
  const refused = await catchRefusal(client.chat.completions.create(ask("one two three four")));
  expect([refused.status, refused.code]).toEqual([402, "insufficient_balance"]);
  const { balance } = refused.error as { balance: object };
  expect(balance).toEqual({ required: "0.000003", currency: "USD" });
  expect(refused.message).toContain("this request needs at least 0.000003 USD");
  await client.chat.completions.create(ask("", { max_tokens: 1 }));
  await gateway.admin("POST", "/organization/payments", { amount: "1.00" });
  await client.chat.completions.create(ask("one two three four"));
});

test("ends each fault of the sandbox in one clear error, and charges what arrived", async () => {
  const { gateway, client } = await open();
  const complete = (model: string, more: object = {}) =>
    client.chat.completions.create({ ...ask("a b c d"), model, ...more });
  expect((await catchRefusal(complete("sandbox-500"))).status).toBe(502);
  expect((await catchRefusal(complete("sandbox-cut"))).status).toBe(502);
  const tooMany = await catchRefusal(complete("sandbox-429"));
  expect([tooMany.status, tooMany.code, tooMany.headers?.get("retry-after")]).toEqual([
    429,
    "provider_error",
    "1",
  ]);
  expect(await listCharges(gateway)).toEqual([]);

  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { ...ask("a b c d"), model: "sandbox-cut", stream: true },
  });
  const events = (await reply.text()).trim().split("\n\n");
  expect(events.at(-1)).toStartWith('data: {"error":{');
  expect(events.join()).not.toContain("[DONE]");
  expect(await listCharges(gateway)).toMatchObject([
    { basis: "estimated", prompt_tokens: 4, completion_tokens: events.length - 2 },
  ]);
  expect(await readHeld(gateway)).toBe("0.00");
});

describe("bad input is a 400 that names the field", () => {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await serveGateway();
  });
  afterAll(() => gateway.close());

  const send = async (body: string | Uint8Array | ReadableStream, key = gateway.key) => {
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key, body });
    const { error } = (await reply.json()) as { error: { param: string; code: string; type: string } };
    return [reply.status, error.code, error.param];
  };
  const changed = (change: object) => JSON.stringify({ ...ask("Hi"), ...change });
  const raw = (member: string) =>
    `{"model":"sandbox-echo","messages":[{"role":"user","content":"Hi"}],${member}}`;

  test.each([
    ["an empty body", "", 400, "invalid_json", "body"],
    ["not JSON", "{model}", 400, "invalid_json", "body"],
    ["an array", "[]", 400, "invalid_json", "body"],
    ["invalid UTF-8", Uint8Array.of(0x22, 0xff, 0x22), 400, "invalid_utf8", "body"],
    ["nested too deep", raw(`"x":${"[".repeat(100_000)}`), 400, "too_deep", "body"],
    ["a field that appears twice", raw('"mod\\u0065l":"sandbox-chat"'), 400, "invalid_value", "model"],
    ["no model", JSON.stringify({ messages: [] }), 400, "missing_field", "model"],
    ["an unknown model", changed({ model: "gpt-0" }), 404, "model_not_found", "model"],
    ["no messages", JSON.stringify({ model: "sandbox-echo" }), 400, "missing_field", "messages"],
    ["empty messages", changed({ messages: [] }), 400, "invalid_value", "messages"],
    [
      "an unknown role",
      changed({ messages: [{ role: "robot", content: "" }] }),
      400,
      "invalid_value",
      "messages.0.role",
    ],
    [
      "a number as content",
      changed({ messages: [{ role: "user", content: 1 }] }),
      400,
      "invalid_value",
      "messages.0.content",
    ],
    ["max_tokens -1", changed({ max_tokens: -1 }), 400, "invalid_value", "max_tokens"],
    ["max_tokens 1.5", changed({ max_tokens: 1.5 }), 400, "invalid_value", "max_tokens"],
    ["max_tokens 1e400", raw('"max_tokens":1e400'), 400, "invalid_value", "max_tokens"],
    ["a string as stream", changed({ stream: "yes" }), 400, "invalid_value", "stream"],
    ["temperature 2.1", changed({ temperature: 2.1 }), 400, "invalid_value", "temperature"],
    ["n 0", changed({ n: 0 }), 400, "invalid_value", "n"],
    [
      "a callback for a chat model",
      changed({ callback_url: "https://example.com" }),
      400,
      "invalid_value",
      "callback_url",
    ],
  ] as const)("%s", async (_name, body, status, code, param) => {
    expect(await send(body)).toEqual([status, code, param]);
  });

  test("a body over 32 MiB is refused, whether its length is announced or not", async () => {
    const large = new Uint8Array(32 * 1024 * 1024 + 1).fill(0x20);
    expect(await send(large)).toEqual([413, "request_too_large", "body"]);
    expect(await send(new Blob([large]).stream())).toEqual([413, "request_too_large", "body"]);
  });

  test("a wrong key is a 401, and a key of no project has to name one", async () => {
    const wrong = `${gateway.key.slice(0, -1)}${gateway.key.endsWith("0") ? "1" : "0"}`;
    expect((await send(changed({}), wrong))[0]).toBe(401);
    const ofNoProject = await send(changed({}), gateway.adminKey);
    expect(ofNoProject).toEqual([400, "missing_field", "OpenAI-Project"]);
  });

  test("an unknown field is the provider's business", async () => {
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.adminKey,
      body: changed({ some_future_field: { a: 1 } }),
      headers: { "openai-project": gateway.projectId },
    });
    expect(reply.status).toBe(200);
  });
});
