import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { readCharge } from "../../support/clients/list-charges";
import { send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

/** The specification's sections 1 to 4.2: models, calls, tasks. Each test is one of its sentences. */
let gateway: ServedGateway;
let client: OpenAI;
let tasks: TaskClient;

serveForAll(
  (served) => {
    gateway = served;
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
    tasks = createTaskClient(gateway);
  },
  { callbackHosts: ["127.0.0.1"] },
);

const post = (path: string, body: unknown) =>
  send(`${gateway.baseUrl}${path}`, { method: "POST", key: gateway.key, body });
const chat = (fields: object = {}) =>
  post("/chat/completions", {
    model: "sandbox-echo",
    messages: [{ role: "user", content: "Say these four words" }],
    ...fields,
  });
const picture = { model: "sandbox-image", prompt: "a lighthouse", size: "16x16", sandbox: { takes_ms: 0 } };

describe("1. What the service does", () => {
  test.each([
    ["chat", { model: "sandbox-echo", messages: [{ role: "user", content: "Hi" }] }, "chat.completion"],
    ["image", picture, "task"],
    ["video", { model: "sandbox-video", prompt: "waves", seconds: 1, sandbox: { takes_ms: 0 } }, "task"],
    ["music", { model: "sandbox-music", prompt: "a tune", seconds: 1, sandbox: { takes_ms: 0 } }, "task"],
  ])("models of the %s family are called through one address, key and pattern", async (_, body, object) => {
    const { status, body: reply } = await post("/chat/completions", body);
    expect([status, reply.object, reply.model]).toEqual([200, object, body.model]);
    if (object === "task") await tasks.follow(String(reply.id));
  });

  test("the model field must carry the identifier of a model", async () => {
    expect(await chat({ model: "no-such-model" })).toMatchObject({
      status: 404,
      error: { code: "model_not_found", param: "model" },
    });
    expect(await chat({ model: 7 })).toMatchObject({ status: 400, error: { param: "model" } });
  });

  test("one balance is usable across all models", async () => {
    const small = await serveGateway({ balance: "0.000004" });
    try {
      const ask = (model: string) =>
        send(`${small.baseUrl}/chat/completions`, {
          method: "POST",
          key: small.key,
          body: { model, messages: [{ role: "user", content: "One" }], max_tokens: 1 },
        });
      // 1 × 1.00 + 1 × 2.00 per million at the rate 0.5: the next call finds less than that, whatever its model.
      expect((await ask("sandbox-echo")).status).toBe(200);
      expect((await ask("sandbox-echo")).status).toBe(200);
      expect((await ask("sandbox-chat")).status).toBe(402);
      const image = await createTaskClient(small).ask("/chat/completions", picture);
      expect(image.status).toBe(402);
    } finally {
      await small.close();
    }
  });

  test("at a model rate of 0.2, a payment of 10.00 buys 50.00 at list prices", async () => {
    const config = `
models:
  - { id: fifth, family: chat, rate: "0.2", price: { input_per_1m: "5000000", output_per_1m: "0" }, routes: [{ provider: sandbox, model: sandbox-echo }] }`;
    const paid = await serveGateway({ config, balance: "10.00" });
    try {
      const ask = (content: string) =>
        send(`${paid.baseUrl}/chat/completions`, {
          method: "POST",
          key: paid.key,
          body: { model: "fifth", messages: [{ role: "user", content }], max_tokens: 1 },
        });
      // Each word costs 5.00 at list price, so the tenth is the last one that 10.00 pays for.
      for (let word = 0; word < 10; word++) expect((await ask("word")).status).toBe(200);
      expect((await ask("word")).status).toBe(402);
      expect(await paid.admin("GET", "/organization/balance")).toMatchObject({ available: "0.00" });
    } finally {
      await paid.close();
    }
  });
});

describe("2.1 Chat request body", () => {
  test.each([
    ["model", { model: undefined }],
    ["messages", { messages: undefined }],
  ])("%s is required", async (param, fields) => {
    expect(await chat(fields)).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", param },
    });
  });

  test("prompt is an optional instruction", async () => {
    const { body } = await chat({ model: "sandbox-echo", prompt: "Answer in French" });
    expect(body.usage).toMatchObject({ prompt_tokens: 7 });
  });

  test("stream is false unless it is sent, and enables streamed output", async () => {
    expect((await chat()).body.object).toBe("chat.completion");
    const stream = await client.chat.completions.create({
      model: "sandbox-echo",
      messages: [{ role: "user", content: "word by word" }],
      stream: true,
    });
    const pieces: string[] = [];
    for await (const { object, choices } of stream) {
      expect(object).toBe("chat.completion.chunk");
      const text = choices[0]?.delta.content;
      if (text) pieces.push(text);
    }
    expect([pieces.length, pieces.join("")]).toEqual([3, "word by word"]);
  });

  test("callback_url is for asynchronous media tasks, and refused where nothing would report to it", async () => {
    const callback_url = "http://127.0.0.1:9/done";
    expect(await chat({ callback_url })).toMatchObject({ status: 400, error: { param: "callback_url" } });
    const { id } = await tasks.create({ ...picture, callback_url });
    expect((await tasks.follow(id)).status).toBe("succeeded");
  });

  test.each([0, 0.7, 2])("temperature may be %d", async (temperature) => {
    expect((await chat({ temperature })).status).toBe(200);
  });

  test.each([-0.1, 2.1, "warm", true])("temperature may not be %p", async (temperature) => {
    expect(await chat({ temperature })).toMatchObject({ status: 400, error: { param: "temperature" } });
  });

  test("max_tokens bounds the output", async () => {
    const { body } = await chat({ max_tokens: 2 });
    expect(body).toMatchObject({
      choices: [{ message: { content: "Say these " }, finish_reason: "length" }],
      usage: { completion_tokens: 2 },
    });
    expect((await chat({ max_tokens: 2_000 })).status).toBe(200);
    for (const max_tokens of [0, -1, 1.5, "many"])
      expect(await chat({ max_tokens })).toMatchObject({ status: 400, error: { param: "max_tokens" } });
  });

  test("it is JSON", async () => {
    expect((await post("/chat/completions", "model=sandbox-echo")).status).toBe(400);
  });
});

describe("2.2 Message", () => {
  test.each(["system", "developer", "user", "assistant"])("role may be %s", async (role) => {
    const messages = [
      { role, content: "First" },
      { role: "user", content: "Last" },
    ];
    expect((await chat({ messages })).status).toBe(200);
  });

  test.each([
    ["role", { content: "Hi" }],
    ["role", { role: "robot", content: "Hi" }],
    ["content", { role: "user", content: 7 }],
    ["content", { role: "user" }],
    ["content", { role: "system", content: null }],
  ])("a message without a valid %s is refused with its place", async (field, message) => {
    const { status, error } = await chat({ messages: [message] });
    expect([status, String(error.param)]).toEqual([400, `messages.0.${field}`]);
  });
});

describe("2.3 Chat completion response", () => {
  test("it has the fields of the table, and each has its type", async () => {
    const { status, body } = await chat();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/./),
      object: "chat.completion",
      model: "sandbox-echo",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Say these four words" },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 },
    });
  });

  test("usage is what was charged", async () => {
    const { body, headers } = await chat();
    const { prompt_tokens, completion_tokens } = await readCharge(gateway, headers.get("x-request-id"));
    expect(body.usage).toMatchObject({ prompt_tokens, completion_tokens });
  });
});

describe("2.4 Generic request or task response, and 3. States", () => {
  test("a task has the fields of the table, and succeeds", async () => {
    const made = await tasks.create(picture);
    expect(made).toMatchObject({ object: "task", model: "sandbox-image", error: null });
    expect(["queued", "running"]).toContain(made.status);
    expect(Number.isInteger(made.created)).toBe(true);
    const ended = await tasks.follow(made.id);
    expect(ended).toMatchObject({
      id: made.id,
      status: "succeeded",
      usage: { unit: "megapixel" },
      error: null,
    });
  });

  test("error has the details of a task that failed", async () => {
    const made = await tasks.create({ ...picture, sandbox: { takes_ms: 0, outcome: "failed" } });
    const ended = await tasks.follow(made.id);
    expect(ended).toMatchObject({
      status: "failed",
      usage: null,
      error: { code: expect.any(String), message: expect.any(String) },
    });
  });

  test("a task that has ended keeps its status", async () => {
    const { id } = await tasks.create(picture);
    await tasks.follow(id);
    await tasks.ask(`/tasks/${id}/cancel`, {});
    expect((await tasks.follow(id)).status).toBe("succeeded");
  });
});
