import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { IMAGE_TIMEOUT_MS } from "@/lib/gateway/calls/media/answer-images";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey, send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let openai: OpenAI;
let tasks: TaskClient;

beforeAll(async () => {
  gateway = await serveGateway();
  openai = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  tasks = createTaskClient(gateway);
});
afterAll(() => gateway.close());

const model = "sandbox-image";
const soon = { sandbox: { takes_ms: 0 } };
const small = { model, prompt: "a lighthouse", size: "16x16" };
const ask = (body: object, { key = gateway.key, headers = {} } = {}) =>
  send(`${gateway.baseUrl}/images/generations`, { method: "POST", key, body, headers });
const post = (...asked: Parameters<typeof ask>) => tasks.whileTimePasses(ask(...asked));
const readKind = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString("latin1");

/** Waits until another task than `not` is the newest that runs. @returns its id. */
async function runningTask(client: TaskClient, not = ""): Promise<string> {
  let id = "";
  await until("another task runs", async () => {
    const reply = await client.ask("/tasks?limit=1&status=running");
    const { data } = (await reply.json()) as { data: { id: string }[] };
    id = data[0]?.id ?? "";
    return id !== "" && id !== not;
  });
  return id;
}

describe("images through the official SDK", () => {
  test("come as base64 once they are made, and are charged once", async () => {
    const before = await tasks.balance();
    const asked = { model, prompt: "a lighthouse", n: 2, size: "1000x500", quality: "hd", ...soon };
    const { data, response } = await tasks.whileTimePasses(
      openai.images.generate(asked as never).withResponse(),
    );
    const { data: images = [], output_format } = data as OpenAI.Images.ImagesResponse;
    expect([images.length, output_format]).toEqual([2, "png"]);
    const id = response.headers.get("x-gatehouse-task-id") ?? "";
    const task = await tasks.follow(id);
    for (const [position, { b64_json = "" }] of images.entries()) {
      const file = await tasks.ask(`/tasks/${id}/output/${position}`);
      expect(Buffer.from(b64_json, "base64").equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    }
    // 2 images of half a megapixel at 0.08 a megapixel and a rate of 0.5.
    expect(task.usage?.amount).toBe("0.04");
    const receipt = await readReceipt(gateway, task.request_id);
    expect(receipt).toMatchObject({ request: { units: "1.00", unit: "megapixel" } });
    const after = await tasks.balance();
    expect([Number(before.posted) - Number(after.posted), after.held]).toEqual([
      expect.closeTo(0.04, 9),
      "0.00",
    ]);
    expect(response.headers.has("x-ratelimit-remaining-requests")).toBe(true);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("come as addresses that the same key reads", async () => {
    const made = await tasks.whileTimePasses(
      openai.images.generate({ ...small, response_format: "url", ...soon } as never),
    );
    const url = (made as OpenAI.Images.ImagesResponse).data?.[0]?.url ?? "";
    const file = await fetchWithKey(url, { key: gateway.key });
    expect([file.status, readKind(await file.bytes())]).toEqual([200, "PNG"]);
    expect((await fetch(url)).status).toBe(401);
  });

  test("come once for an idempotency key, and are charged once", async () => {
    const headers = { "idempotency-key": "paint" };
    const first = await post({ ...small, ...soon }, { headers });
    const before = await tasks.balance();
    const again = await post({ ...small, ...soon }, { headers });
    expect([again.status, again.body, await tasks.balance()]).toEqual([200, first.body, before]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await post({ ...small, prompt: "other", ...soon }, { headers })).status).toBe(409);
  });
});

describe("images that are not made", () => {
  test.each(["failed", "refused"])("cost nothing, and are not asked for again: %s", async (outcome) => {
    const before = await tasks.balance();
    const reply = await post({ ...small, sandbox: { takes_ms: 0, outcome } });
    expect(reply).toMatchObject({ status: 502, error: { code: "provider_error" } });
    expect(reply.error.url).toContain("/requests/req_");
    expect(reply.headers.get("x-should-retry")).toBe("false");
    expect(await tasks.balance()).toEqual(before);
  });

  test("in time are refused with the id of their task, which stays", async () => {
    const asked = ask({ ...small, sandbox: { outcome: "never ends" } });
    const id = await runningTask(tasks);
    gateway.pass(IMAGE_TIMEOUT_MS);
    const reply = await asked;
    expect(reply).toMatchObject({ status: 504, error: { code: "provider_timeout" } });
    expect(reply.error.message).toContain(id);
    const canceled = ask({ ...small, sandbox: { outcome: "never ends" } });
    const other = await runningTask(tasks, id);
    for (const task of [id, other]) await tasks.ask(`/tasks/${task}/cancel`, {});
    await tasks.follow(other);
    expect(await canceled).toMatchObject({ status: 409, error: { code: "task_ended" } });
  });

  test("for a client that has left are made all the same, and charged", async () => {
    const left = new AbortController();
    const asked = fetchWithKey(`${gateway.baseUrl}/images/generations`, {
      key: gateway.key,
      body: { ...small, sandbox: { takes_ms: 2_000 } },
      signal: left.signal,
    }).catch(() => null);
    const id = await runningTask(tasks);
    left.abort();
    await asked;
    expect(await tasks.follow(id)).toMatchObject({ status: "succeeded", usage: { amount: "0.00000512" } });
  });
});

test("a call is refused once its key is deleted while its images are made, and they are charged all the same", async () => {
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const key = await gateway.admin<{ id: string; value: string }>("POST", keys, { name: "Short-lived" });
  const asked = ask({ ...small, sandbox: { takes_ms: 2_000 } }, { key: key.value });
  const id = await runningTask(tasks);
  await send(`${gateway.baseUrl}${keys}/${key.id}`, { method: "DELETE", key: gateway.adminKey });
  expect(await asked).toMatchObject({ status: 401, error: { code: "invalid_api_key" } });
  expect(await tasks.follow(id)).toMatchObject({ status: "succeeded", usage: { amount: "0.00000512" } });
});

test("a call counts as in flight until its client has its images", async () => {
  const crowded = await serveGateway({ maxConcurrentRequests: 1 });
  const crowd = createTaskClient(crowded);
  const chat = () =>
    crowd.ask("/chat/completions", { model: "sandbox-echo", messages: [{ role: "user", content: "Hi" }] });
  const waiting = crowd.ask("/images/generations", { ...small, sandbox: { outcome: "never ends" } });
  const id = await runningTask(crowd);
  expect((await chat()).status).toBe(429);
  await crowd.ask(`/tasks/${id}/cancel`, {});
  await crowd.whileTimePasses(waiting);
  expect((await chat()).status).toBe(200);
  await crowded.close();
});

describe("a request for images is refused", () => {
  test.each([
    [{ model }, "prompt", "missing_field"],
    [{ model, prompt: "" }, "prompt", "invalid_value"],
    [{ ...small, n: 11 }, "n", "invalid_value"],
    [{ ...small, size: "huge" }, "size", "invalid_value"],
    [{ ...small, quality: "ultra" }, "quality", "invalid_value"],
    [{ ...small, response_format: "png" }, "response_format", "invalid_value"],
    [{ ...small, stream: true }, "stream", "invalid_value"],
    [{ ...small, width: 9_000 }, "width", "unpriced_field"],
    [{ ...small, model: "sandbox-echo" }, "model", "invalid_value"],
    [{ ...small, model: "sandbox-video" }, "model", "invalid_value"],
    [{ ...small, model: "sandbox-imag" }, "model", "model_not_found"],
  ])("by its field, and logged once (%#)", async (body, param, code) => {
    // Ten refusals of a key are kept whole in a minute.
    gateway.pass(61_000);
    const { status, error } = await post(body);
    expect([status, error.param, error.code]).toEqual([code === "model_not_found" ? 404 : 400, param, code]);
    // Refusals are written when there is time, and before the next charge.
    const chat = { model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] };
    await tasks.ask("/chat/completions", chat);
    expect(await readReceipt(gateway, error.request_id ?? null)).toMatchObject({
      request: { refused_by: code },
      client: { endpoint: "images/generations" },
    });
  });

  test("beyond the images of a minute, and takes none of them", async () => {
    await gateway.setLimits(model, { max_images_per_1_minute: 3 });
    gateway.pass(61_000);
    expect((await post({ ...small, n: 2, ...soon })).status).toBe(200);
    const refused = await post({ ...small, n: 2, ...soon });
    expect(refused).toMatchObject({
      status: 429,
      error: { code: "max_images_per_1_minute", limit: { max: 3, used: 2, requested: 2 } },
    });
    expect((await post({ ...small, ...soon })).status).toBe(200);
    await gateway.restart();
    expect((await post({ ...small, ...soon })).error?.code).toBe("max_images_per_1_minute");
    gateway.pass(61_000);
    expect((await post({ ...small, ...soon })).status).toBe(200);
    await gateway.setLimits(model, { max_images_per_1_minute: null });
  });
});

test("a key limited to images makes them, follows their tasks, and does nothing else", async () => {
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const { value } = await gateway.admin<{ value: string }>("POST", keys, {
    name: "Painter",
    endpoints: ["images"],
  });
  const made = await post({ ...small, ...soon }, { key: value });
  expect(made.status).toBe(200);
  const task = `/tasks/${made.headers.get("x-gatehouse-task-id")}`;
  expect((await tasks.ask(task, undefined, { key: value })).status).toBe(200);
  const chat = await tasks.ask("/chat/completions", { ...small, ...soon }, { key: value });
  expect(chat.status).toBe(403);
});
