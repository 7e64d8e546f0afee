import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { fetchWithKey, send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createInbox } from "../../support/servers/inbox";

/** The specification's sections 4.1, 4.2, 5 to 7 and 9: endpoints, keys, events, errors, versions. */
let gateway: ServedGateway;
let tasks: TaskClient;
let inbox: ReturnType<typeof createInbox>;

beforeAll(async () => {
  inbox = createInbox();
  gateway = await serveGateway({
    callbackHosts: ["127.0.0.1", "localhost"],
    isExpectedFault: isProviderFault,
  });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await inbox.close();
});

const words = { messages: [{ role: "user", content: "Two words" }] };
const post = (path: string, body: unknown, key: string | undefined = gateway.key, at = gateway) =>
  send(`${at.baseUrl}${path}`, { method: "POST", key, body });
const chat = (fields: object = {}, key?: string, at?: ServedGateway) =>
  post("/chat/completions", { model: "sandbox-echo", ...words, ...fields }, key, at);
const picture = { model: "sandbox-image", prompt: "x", size: "16x16", sandbox: { takes_ms: 0 } };

describe("4.1 Create chat completion", () => {
  test("it answers 200 at POST {base_url}/chat/completions, and 405 for another method", async () => {
    expect((await chat()).status).toBe(200);
    const got = await send(`${gateway.baseUrl}/chat/completions`, { key: gateway.key });
    expect(got.status).toBe(405);
  });

  test("the official SDK needs the base address and the key alone", async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key });
    const { choices } = await client.chat.completions.create({
      model: "sandbox-echo",
      messages: [{ role: "user", content: "Hello" }],
    });
    expect(choices[0]?.message.content).toBe("Hello");
  });

  test("a stream is server-sent events that end with [DONE]", async () => {
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "sandbox-echo", ...words, stream: true },
    });
    expect(reply.headers.get("content-type")).toStartWith("text/event-stream");
    const events = (await reply.text()).split("\n\n").filter(Boolean);
    expect(events.at(-1)).toBe("data: [DONE]");
    for (const event of events.slice(0, -1))
      expect(JSON.parse(event.replace(/^data: /, "")).object).toBe("chat.completion.chunk");
  });
});

describe("4.2 Create message", () => {
  test("POST /messages answers in the shape of section 2.3", async () => {
    const { status, body } = await post("/messages", { model: "sandbox-echo", ...words, max_tokens: 2_000 });
    expect([status, body.object]).toEqual([200, "chat.completion"]);
    expect(body).toMatchObject({
      choices: [{ index: 0, message: { role: "assistant", content: "Two words" } }],
    });
  });

  test("it includes max_tokens", async () => {
    const { status, error } = await post("/messages", { model: "sandbox-echo", ...words });
    expect([status, error.param]).toEqual([400, "max_tokens"]);
  });
});

describe("5. Authentication", () => {
  test("each request carries Authorization: Bearer and a key", async () => {
    expect((await chat({}, gateway.key)).status).toBe(200);
  });

  test.each([
    ["a missing key", {}],
    ["an unknown key", { authorization: `Bearer gk_live_${"x".repeat(49)}` }],
    ["another scheme", { authorization: "Basic Zm9vOmJhcg==" }],
    ["an empty key", { authorization: "Bearer " }],
  ])("%s is a 401, at each operation", async (_, headers) => {
    const bodies: Readonly<Record<string, object>> = {
      "/chat/completions": { model: "sandbox-echo", ...words },
      "/messages": { model: "sandbox-echo", ...words, max_tokens: 1 },
      [`/organization/projects/${gateway.projectId}/rate_limits/rl_sandbox-echo`]: {
        max_requests_per_1_minute: 1,
      },
      "/organization/roles/": { role_name: "x", permissions: [] },
    };
    const messages = new Set<unknown>();
    for (const [path, body] of Object.entries(bodies)) {
      const reply = await send(`${gateway.baseUrl}${path}`, {
        method: "POST",
        body,
        headers: headers as Record<string, string>,
      });
      expect([path, reply.status, reply.error.type]).toEqual([path, 401, "authentication_error"]);
      messages.add(reply.error.message);
    }
    expect(messages.size).toBe(1);
  });

  test("a project key can't call the administrative operations", async () => {
    const path = `/organization/projects/${gateway.projectId}/rate_limits/rl_sandbox-echo`;
    expect((await post(path, { max_requests_per_1_minute: 1 })).status).toBe(403);
  });
});

describe("6. Events", () => {
  test("a media task reports to its callback_url, signed, with what polling shows", async () => {
    const { secret } = await gateway.admin<{ secret: string }>(
      "GET",
      `/organization/projects/${gateway.projectId}/callback_secret`,
    );
    // The callback's signature has the gateway's time, which begins at that of the machine.
    const { id } = await tasks.create({ ...picture, callback_url: `${inbox.url}done` });
    const polled = await tasks.follow(id);
    const { body, headers } = await inbox.next();
    expect(JSON.parse(body)).toMatchObject({ type: "task.succeeded", data: polled });
    expect(headers["webhook-id"]).toBe(id);
    const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign(id, sentAt, body));
  });

  test("polling is the alternative", async () => {
    const { id } = await tasks.create(picture);
    expect((await tasks.follow(id)).status).toBe("succeeded");
    const page = await tasks.ask(`/tasks/${id}/output/0`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "image/png"]);
  });
});

describe("7. Errors", () => {
  test("400 for a wrong field, 401 for a wrong key", async () => {
    expect(await chat({ messages: [] })).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error" },
    });
    expect(await chat({}, "wrong")).toMatchObject({ status: 401, error: { type: "authentication_error" } });
  });

  test("402 where the balance is too low, with what is needed", async () => {
    const poor = await serveGateway({ balance: "0.00" });
    try {
      const { status, error } = await chat({}, poor.key, poor);
      expect([status, error.type]).toEqual([402, "insufficient_balance"]);
      expect(error).toMatchObject({ balance: { required: "0.000002" } });
    } finally {
      await poor.close();
    }
  });

  test("429 for too much concurrency, to be tried again", async () => {
    const narrow = await serveGateway({ maxConcurrentRequests: 1 });
    try {
      const aborted = new AbortController();
      const first = fetchWithKey(`${narrow.baseUrl}/chat/completions`, {
        key: narrow.key,
        body: { model: "sandbox-hang", ...words },
        signal: aborted.signal,
      }).catch(() => null);
      await until("the place is taken", async () => (await chat({}, narrow.key, narrow)).status === 429);
      const { status, error, headers } = await chat({}, narrow.key, narrow);
      expect([status, error.type, error.code]).toEqual([429, "rate_limit_error", "concurrency"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      aborted.abort();
      await first;
      await until("the place is free", async () => (await chat({}, narrow.key, narrow)).status === 200);
    } finally {
      await narrow.close();
    }
  });

  test("a service error costs nothing and leaves the request id for support", async () => {
    const before = await tasks.balance();
    const { status, error, headers } = await chat({ model: "sandbox-500" });
    expect([status, error.type]).toEqual([502, "service_error"]);
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(error).toMatchObject({ request_id: headers.get("x-request-id"), message: expect.any(String) });
    expect(await tasks.balance()).toEqual(before);
  });
});

describe("9. Versioning", () => {
  test("the version is the path /v1 of the base address", async () => {
    expect(new URL(gateway.baseUrl).pathname).toBe("/v1");
    const { origin } = new URL(gateway.baseUrl);
    const reply = await send(`${origin}/v2/chat/completions`, {
      method: "POST",
      key: gateway.key,
      body: { model: "sandbox-echo", ...words },
    });
    expect(reply.status).toBe(404);
  });

  test("the list of models follows the console: a model that is added, or no longer allowed", async () => {
    const added = { model: "added-today" };
    expect((await chat(added)).status).toBe(404);
    await gateway.admin("POST", "/organization/models", {
      id: added.model,
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1.00", output_per_1m: "1.00" },
      routes: [{ provider: "sandbox", model: "sandbox-echo" }],
    });
    expect((await chat(added)).status).toBe(200);
    await gateway.admin("POST", `/organization/projects/${gateway.projectId}/model_permissions`, {
      mode: "deny_list",
      model_ids: [added.model],
    });
    expect(await chat(added)).toMatchObject({ status: 403, error: { code: "model_not_allowed" } });
  });
});
