import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let openai: OpenAI;
let tasks: TaskClient;

serveForAll(
  (served) => {
    gateway = served;
    openai = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
    tasks = createTaskClient(gateway);
  },
  { isExamined: true },
);

const model = "sandbox-video";
const wish = (sandbox: object) => ({ model, prompt: "waves", seconds: "4", sandbox }) as never;
/** The error of a refused request, without its status. */
const catchRefusal = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (thrown: Error) => thrown,
  );
  return error?.message.replace(/^\d+ /, "");
};
const post = (body: object, { key = gateway.key, headers = {} } = {}) =>
  send(`${gateway.baseUrl}/videos`, { method: "POST", key, body, headers });

describe("videos through the official SDK", () => {
  test("are begun from a form, followed, read and deleted, and charged once", async () => {
    const begun = await openai.videos.create({
      model,
      prompt: "waves",
      seconds: "4",
      size: "64x36",
    } as never);
    expect(begun).toMatchObject({
      object: "video",
      // The worker may take it before the reply is written.
      status: expect.stringMatching(/^(queued|in_progress)$/),
      seconds: "4",
      size: "64x36",
      error: null,
    });
    expect(await catchRefusal(openai.videos.delete(begun.id))).toStartWith(
      `"${begun.id}" is still being made. Cancel it first`,
    );
    expect(await catchRefusal(openai.videos.downloadContent(begun.id))).toStartWith("There is no file yet");
    let video = begun;
    await until("the video has ended", async () => {
      gateway.pass(250);
      video = await openai.videos.retrieve(begun.id);
      return video.status !== "queued" && video.status !== "in_progress";
    });
    expect(video).toMatchObject({ status: "completed", progress: 100, seconds: "4", size: "64x36" });
    expect(video.completed_at).toBeGreaterThanOrEqual(video.created_at);
    const content = await openai.videos.downloadContent(begun.id);
    expect(content.headers.get("content-type")).toBe("video/webm");
    const bytes = new Uint8Array(await content.arrayBuffer());
    expect([...bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    // 4 seconds at 0.05 a second and a rate of 0.5.
    expect((await tasks.follow(begun.id)).usage?.amount).toBe("0.10");
    expect(await openai.videos.delete(begun.id)).toMatchObject({ id: begun.id, deleted: true });
    expect(await catchRefusal(openai.videos.retrieve(begun.id))).toStartWith("There is no video");
    expect(await catchRefusal(openai.videos.delete(begun.id))).toStartWith("There is no video");
    expect((await tasks.follow(begun.id)).output[0]?.url).toBeNull();
    const path = "/organization/audit_logs?event_types[]=video.deleted";
    const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", path);
    expect(data).toMatchObject([
      { actor: { type: "api_key" }, changes: [{ object: "tasks", id: begun.id, before: null }] },
    ]);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("are listed from either end, page by page, without tasks of other kinds", async () => {
    await tasks.create({ model: "sandbox-image", prompt: "no video", size: "16x16" });
    const made: string[] = [];
    for (let count = 0; count < 3; count++) {
      gateway.pass(1);
      const { body } = await post(wish({ takes_ms: 0 }));
      made.push((body as { id: string }).id);
    }
    const newestFirst = await Array.fromAsync(openai.videos.list({ limit: 2 }), ({ id }) => id);
    expect(newestFirst).toEqual(made.toReversed());
    const oldestFirst = await Array.fromAsync(openai.videos.list({ limit: 2, order: "asc" }), ({ id }) => id);
    expect(oldestFirst).toEqual(made);
    for (const id of made) await tasks.follow(id);
  });

  test("come once for an idempotency key", async () => {
    const headers = { "idempotency-key": "film" };
    const body = wish({ takes_ms: 0 });
    const first = (await post(body, { headers })).body as { id: string };
    await tasks.follow(first.id);
    const again = await post(body, { headers });
    expect(again.body).toMatchObject({ id: first.id, status: "completed" });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

test("a failed or canceled video has that status, and costs nothing", async () => {
  const { available } = await tasks.balance();
  const failing = (await post(wish({ takes_ms: 0, outcome: "failed" }))).body as { id: string };
  await tasks.follow(failing.id);
  expect(await openai.videos.retrieve(failing.id)).toMatchObject({
    status: "failed",
    error: { code: "sandbox_failure" },
  });
  const endless = (await post(wish({ outcome: "never ends" }))).body as { id: string };
  await tasks.ask(`/tasks/${endless.id}/cancel`, {});
  await tasks.follow(endless.id);
  expect(await openai.videos.retrieve(endless.id)).toMatchObject({
    status: "failed",
    error: { code: "canceled" },
  });
  expect((await tasks.balance()).available).toEqual(available);
});

describe("a request for a video is refused", () => {
  test.each([
    [{ model }, "prompt", "missing_field"],
    [{ model, prompt: "x", seconds: "61" }, "seconds", "invalid_value"],
    [{ model, prompt: "x", size: "1080p" }, "size", "invalid_value"],
    [{ model, prompt: "x", input_reference: { file_id: "file_1" } }, "input_reference", "invalid_value"],
    [{ model: "sandbox-image", prompt: "x" }, "model", "invalid_value"],
    [{ model: "sandbox-echo", prompt: "x" }, "model", "invalid_value"],
  ])("by its field (%#)", async (body, param, code) => {
    gateway.pass(61_000);
    expect(await post(body)).toMatchObject({ status: 400, error: { param, code } });
  });

  const form = (text: string, type = "multipart/form-data; boundary=b") =>
    send(`${gateway.baseUrl}/videos`, {
      method: "POST",
      key: gateway.key,
      body: text,
      headers: { "content-type": type },
    });
  const part = (name: string, value: string, more = "") =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const fields = part("model", model) + part("prompt", "x");

  test.each([
    ["without a boundary", `${fields}--b--\r\n`, "multipart/form-data", "body"],
    ["that ends nowhere", fields, undefined, "body"],
    ["of nothing", "", undefined, "body"],
    ["of no parts", "no form", undefined, "body"],
    ["with a field twice", `${fields}${part("prompt", "y")}--b--\r\n`, undefined, "prompt"],
    [
      "of a file",
      `${fields}${part("input_reference", "x", '; filename="a.png"')}--b--\r\n`,
      undefined,
      "input_reference",
    ],
    [
      "of a thousand parts",
      `${Array.from({ length: 1_000 }, (_, at) => part(`p${at}`, "")).join("")}--b--\r\n`,
      undefined,
      "body",
    ],
  ])("as a form %s", async (_, text, type, param) => {
    gateway.pass(61_000);
    expect(await form(text, type)).toMatchObject({ status: 400, error: { param } });
  });

  test("as a form that is too large", async () => {
    const large = `${fields}${part("more", "x".repeat(70_000))}--b--\r\n`;
    expect(await form(large)).toMatchObject({ status: 413, error: { code: "request_too_large" } });
  });
});

test("another project's videos are not there, and a key limited to videos does nothing else", async () => {
  const { body } = await post(wish({ takes_ms: 0 }));
  const { id } = body as { id: string };
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const createKey = async (projectId: string, scope: object) => {
    const keys = `/organization/projects/${projectId}/api_keys`;
    return (await gateway.admin<{ value: string }>("POST", keys, { name: "Theirs", ...scope })).value;
  };
  const theirs = await createKey(other.id, {});
  for (const path of [`/videos/${id}`, `/videos/${id}/content`])
    expect((await tasks.ask(path, undefined, { key: theirs })).status).toBe(404);
  const deleted = await send(`${gateway.baseUrl}/videos/${id}`, { method: "DELETE", key: theirs });
  expect(deleted.status).toBe(404);
  const limited = await createKey(gateway.projectId, { endpoints: ["videos"] });
  const own = (await post(wish({ takes_ms: 0 }), { key: limited })).body as { id: string };
  const seen = (await (await tasks.ask("/videos", undefined, { key: limited })).json()) as {
    data: { id: string }[];
  };
  expect(seen.data.map((video) => video.id)).toEqual([own.id]);
  expect((await tasks.ask(`/videos/${own.id}`, undefined, { key: limited })).status).toBe(200);
  expect((await tasks.ask(`/videos/${id}`, undefined, { key: limited })).status).toBe(404);
  expect((await tasks.ask("/embeddings", {}, { key: limited })).status).toBe(403);
});
