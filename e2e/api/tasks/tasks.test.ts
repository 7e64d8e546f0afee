import { expect, test } from "bun:test";
import OpenAI from "openai";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let client: TaskClient;

serveForAll(
  (served) => {
    gateway = served;
    client = createTaskClient(gateway);
  },
  { balance: "10.00", isExamined: true },
);

test("an image is made: held at creation, charged once, and its PNG served whole and in part", async () => {
  const openai = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseUrl });
  const before = await client.balance();
  const sizeAndQuality = { size: "1000x500", quality: "hd" };
  const made = (await openai.chat.completions.create({
    model: "sandbox-image",
    messages: [{ role: "user", content: "a lighthouse" }],
    n: 2,
    ...sizeAndQuality,
  })) as unknown as Task;
  expect(made).toMatchObject({
    object: "task",
    status: "queued",
    model: "sandbox-image",
    usage: null,
    output: [],
  });
  // 2 images of half a megapixel at 0.08 a megapixel and a rate of 0.5.
  expect((await client.balance()).held).toBe("0.04");
  const task = await client.follow(made.id);
  expect(task).toMatchObject({ status: "succeeded", progress: 100, error: null });
  expect(task.usage).toEqual({ unit: "megapixel", quantity: 1, amount: "0.04", currency: "USD" });
  expect(task.output).toHaveLength(2);
  expect([before.posted, await client.balance()]).toMatchObject(["10.00", { held: "0.00", posted: "9.96" }]);
  const whole = await client.ask(`/tasks/${task.id}/output/0`);
  expect(whole.headers.get("content-type")).toBe("image/png");
  const bytes = new Uint8Array(await whole.arrayBuffer());
  expect(bytes.length).toBe(task.output[0]?.bytes ?? 0);
  expect(Buffer.from(bytes.subarray(0, 4)).toString("latin1")).toBe("\x89PNG");
  const part = await client.ask(`/tasks/${task.id}/output/0`, undefined, { headers: { range: "bytes=1-3" } });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
    206,
    `bytes 1-3/${bytes.length}`,
    "PNG",
  ]);
  expect(
    (await client.ask(`/tasks/${task.id}/output/0`, undefined, { headers: { range: "bytes=99999999-" } }))
      .status,
  ).toBe(416);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a film plays in a browser's format, a tune is a WAV; both cost by the second", async () => {
  const [film, tune] = [
    await client.create({ model: "sandbox-video", prompt: "waves", seconds: "2", sandbox: { takes_ms: 10 } }),
    await client.create({ model: "sandbox-music", prompt: "waves", seconds: 3, sandbox: { takes_ms: 10 } }),
  ];
  const made = await client.follow(film.id);
  expect(made.usage).toMatchObject({ unit: "second", quantity: 2, amount: "0.05" });
  expect(made.output[0]?.mime_type).toBe("video/webm");
  const song = await client.follow(tune.id);
  expect(song.usage).toMatchObject({ unit: "second", quantity: 3, amount: "0.015" });
  const wav = await (await client.ask(`/tasks/${song.id}/output/0`)).bytes();
  expect(Buffer.from(wav.subarray(0, 4)).toString()).toBe("RIFF");
});

test("the same prompt makes the same file", async () => {
  const fields = { model: "sandbox-image", prompt: "a tree", size: "64x64", sandbox: { takes_ms: 0 } };
  const made = [
    await client.create(fields),
    await client.create(fields),
    await client.create({ ...fields, prompt: "a house" }),
  ];
  const files = await Promise.all(
    made.map(async ({ id }) => {
      await client.follow(id);
      return Bun.hash(await (await client.ask(`/tasks/${id}/output/0`)).arrayBuffer());
    }),
  );
  expect(files[0]).toBe(files[1]);
  expect(files[0]).not.toBe(files[2]);
});

test("charges nothing for failed and canceled tasks, which stay as they are", async () => {
  const before = await client.balance();
  const fails = await client.create({
    model: "sandbox-image",
    prompt: "x",
    sandbox: { outcome: "failed", takes_ms: 0 },
  });
  expect(await client.follow(fails.id)).toMatchObject({
    status: "failed",
    error: { code: "sandbox_failure" },
    usage: null,
  });
  const refused = await client.create({
    model: "sandbox-image",
    prompt: "x",
    sandbox: { outcome: "refused" },
  });
  expect(await client.follow(refused.id)).toMatchObject({
    status: "failed",
    error: { code: "content_policy" },
  });
  const endless = await client.create({
    model: "sandbox-video",
    prompt: "x",
    sandbox: { outcome: "never ends" },
  });
  await client.follow(endless.id, ({ progress }) => progress === 50);
  const canceled = await client.ask(`/tasks/${endless.id}/cancel`, {});
  expect(canceled.status).toBe(200);
  expect(await client.follow(endless.id)).toMatchObject({
    status: "canceled",
    cancel_requested: true,
    usage: null,
  });
  const again = await client.ask(`/tasks/${endless.id}/cancel`, {});
  expect([again.status, ((await again.json()) as { error: { code: string } }).error.code]).toEqual([
    409,
    "task_ended",
  ]);
  expect(await client.balance()).toEqual(before);
});

test("a task outlives the gateway: its hold stays, it goes on, and is charged once", async () => {
  const before = await client.balance();
  const made = await client.create({
    model: "sandbox-image",
    prompt: "x",
    size: "100x100",
    sandbox: { takes_ms: 5_000 },
  });
  await client.follow(made.id, ({ status }) => status === "running");
  await gateway.restart();
  expect((await client.balance()).held).not.toBe(before.held);
  expect(await client.follow(made.id)).toMatchObject({
    status: "succeeded",
    usage: { quantity: 0.01, amount: "0.0002" },
  });
  expect((await client.balance()).held).toBe(before.held);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("the same Idempotency-Key gets the same task, also once it has failed; another body is a conflict", async () => {
  const fields = { model: "sandbox-image", prompt: "once", sandbox: { outcome: "failed", takes_ms: 0 } };
  const headers = { "idempotency-key": "make-once" };
  const first = await client.create(fields, headers);
  await client.follow(first.id);
  const repeat = await client.ask("/chat/completions", fields, { headers });
  expect(repeat.headers.get("idempotency-replayed")).toBe("true");
  expect(((await repeat.json()) as Task).id).toBe(first.id);
  expect((await client.ask("/chat/completions", { ...fields, prompt: "twice" }, { headers })).status).toBe(
    409,
  );
});

test("a task is visible to and canceled by only its project's keys, and listed newest first", async () => {
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const keys = `/organization/projects/${other.id}/api_keys`;
  const { value } = await gateway.admin<{ value: string }>("POST", keys, { name: "Theirs" });
  gateway.runtime.pass(1);
  const made = await client.create({ model: "sandbox-image", prompt: "ours", size: "16x16" });
  for (const path of [`/tasks/${made.id}`, `/tasks/${made.id}/output/0`, `/tasks/${made.id}/events`])
    expect((await client.ask(path, undefined, { key: value })).status).toBe(404);
  expect((await client.ask(`/tasks/${made.id}/cancel`, {}, { key: value })).status).toBe(404);
  const theirs = (await (await client.ask("/tasks", undefined, { key: value })).json()) as { data: Task[] };
  expect(theirs.data).toEqual([]);
  const ours = (await (await client.ask("/tasks?limit=1")).json()) as { data: Task[]; has_more: boolean };
  expect([ours.data[0]?.id, ours.has_more]).toEqual([made.id, true]);
  await client.follow(made.id);
});

test("events report each change until the task has ended", async () => {
  const made = await client.create({
    model: "sandbox-image",
    prompt: "x",
    size: "16x16",
    sandbox: { takes_ms: 1_000 },
  });
  const [stream] = await Promise.all([
    (async () => (await client.ask(`/tasks/${made.id}/events`)).text())(),
    client.follow(made.id),
  ]);
  const told = [...stream.matchAll(/^data: (.+)$/gm)].map(([, text]) => JSON.parse(text ?? "") as Task);
  expect(told.at(-1)).toMatchObject({ id: made.id, status: "succeeded", progress: 100 });
  expect(told.length).toBeGreaterThan(1);
});
