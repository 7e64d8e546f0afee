import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { TaskCallback } from "@/lib/contract/operations/tasks/task-callbacks";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { fetchWithKey, send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createInbox, type Received } from "../../support/servers/inbox";
import { queryDatabase } from "../../support/stored-data/query-database";

type CallbackSecret = { secret: string; number: number; previous_ends_at: number | null };

const image = { model: "sandbox-image", prompt: "x", size: "16x16", sandbox: { takes_ms: 0 } };
let inbox: ReturnType<typeof createInbox>;
let gateway: ServedGateway;
let client: TaskClient;

beforeEach(async () => {
  inbox = createInbox();
  gateway = await serveGateway({
    callbackHosts: ["127.0.0.1", "localhost"],
    isExpectedFault: (fault) => String(fault).includes(" was given up after "),
  });
  client = createTaskClient(gateway);
});
afterEach(async () => {
  await gateway.close();
  await inbox.close();
});

const secretPath = () => `/organization/projects/${gateway.projectId}/callback_secret`;
const readSecret = () => gateway.admin<CallbackSecret>("GET", secretPath());
const readCallback = async (id: string) =>
  (await (await client.ask(`/tasks/${id}/callback`)).json()) as TaskCallback;

/** A message, as verified by the official Standard Webhooks library at the gateway's time. */
function verify({ body, headers }: Received, secret: string) {
  setSystemTime(gateway.runtime.clock.nowMs());
  try {
    return new Webhook(secret).verify(body, headers) as { type: string; timestamp: string; data: Task };
  } finally {
    setSystemTime();
  }
}

async function make(change: object = {}) {
  const made = await client.create({ ...image, callback_url: `${inbox.url}done?token=1`, ...change });
  return client.follow(made.id);
}

test("each end sends one callback, signed with the project's secret, with the task as polling shows it", async () => {
  const [{ secret }, task] = [await readSecret(), await make()];
  const received = await inbox.next();
  const message = verify(received, secret);
  expect(message).toMatchObject({ type: "task.succeeded", data: task });
  expect(received.headers["webhook-id"]).toBe(task.id);
  await until("the try is in the log", async () => (await readCallback(task.id)).status === "delivered");
  expect(await readCallback(task.id)).toMatchObject({
    url: `${inbox.url}done?token=1`,
    next_try_at: null,
    tries: [{ status: 204, failure: null }],
  });
  await make({ sandbox: { takes_ms: 0, outcome: "failed" } });
  expect(verify(await inbox.next(), secret).type).toBe("task.failed");
});

test("a replaced secret signs beside the new one for a day, and the audit log names the person who replaced it", async () => {
  const before = await readSecret();
  const after = await gateway.admin<CallbackSecret>("POST", `${secretPath()}/rotate`, {
    replaces: before.number,
  });
  const twice = send(`${gateway.baseUrl}${secretPath()}/rotate`, {
    method: "POST",
    key: gateway.adminKey,
    body: { replaces: before.number },
  });
  expect(await twice).toMatchObject({ status: 412, error: { code: "stale_version", param: "replaces" } });
  expect([after.number, after.secret === before.secret]).toEqual([2, false]);
  await make();
  const both = await inbox.next();
  for (const { secret } of [before, after]) expect(verify(both, secret).type).toBe("task.succeeded");
  gateway.pass(25 * HOUR_MS);
  expect((await readSecret()).previous_ends_at).toBeNull();
  await make();
  const one = await inbox.next();
  expect(() => verify(one, before.secret)).toThrow();
  expect(verify(one, after.secret).type).toBe("task.succeeded");
  const log = await gateway.admin<{ data: { type: string }[] }>("GET", "/organization/audit_logs?limit=10");
  expect(log.data.map(({ type }) => type)).toContain("callback_secret.rotated");
});

test("each of several secrets that are replaced within a day signs for its own day, and only so many do at once", async () => {
  const rotate = async (replaces: number) =>
    send(`${gateway.baseUrl}${secretPath()}/rotate`, {
      method: "POST",
      key: gateway.adminKey,
      body: { replaces },
    });
  const secrets = [(await readSecret()).secret];
  for (const number of [1, 2, 3, 4]) {
    expect(await rotate(number)).toMatchObject({ status: 200 });
    secrets.push((await readSecret()).secret);
    gateway.pass(HOUR_MS);
  }
  expect(await rotate(5)).toMatchObject({ status: 409, error: { code: "limit_reached", param: "replaces" } });
  await make();
  const all = await inbox.next();
  for (const secret of secrets) expect(verify(all, secret).type).toBe("task.succeeded");
  gateway.pass(20 * HOUR_MS + 1_000);
  await make();
  const rest = await inbox.next();
  expect(() => verify(rest, secrets[0] ?? "")).toThrow();
  for (const secret of secrets.slice(1)) expect(verify(rest, secret).type).toBe("task.succeeded");
  expect(await rotate(5)).toMatchObject({ status: 200 });
});

test("a receiver's retry-after is respected, a 410 ends the deliveries, and a resend starts them again", async () => {
  inbox.reply(new Response(null, { status: 429, headers: { "retry-after": "600" } }));
  const task = await make();
  await inbox.next();
  await until("the try is in the log", async () => (await readCallback(task.id)).tries.length === 1);
  const waiting = await readCallback(task.id);
  expect((waiting.next_try_at ?? 0) - (waiting.tries[0]?.at ?? 0)).toBe(600);
  inbox.reply(new Response(null, { status: 410 }));
  gateway.pass(601_000);
  await inbox.next();
  await until("the try is in the log", async () => (await readCallback(task.id)).status === "exhausted");
  expect((await client.ask(`/tasks/${task.id}/callback/send`, {})).status).toBe(200);
  const again = await inbox.next();
  expect(again.headers["webhook-id"]).toBe(task.id);
  await until("the try is in the log", async () => (await readCallback(task.id)).status === "delivered");
  expect((await readCallback(task.id)).tries.map(({ status }) => status)).toEqual([429, 410, 204]);
  const path = "/organization/audit_logs?event_types[]=task.callback.resent";
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", path);
  expect(data).toMatchObject([{ actor: { type: "api_key" }, changes: [{ object: "tasks", id: task.id }] }]);
});

// On PostgreSQL, its clock counts.
test.skipIf(isOnPostgres)(
  "a callback that failed under a clock that was days ahead is tried again once the clock is right",
  async () => {
    gateway.stepWallClock(40 * DAY_MS);
    inbox.refuse();
    const { id } = await client.create({ ...image, callback_url: inbox.url });
    await client.follow(id);
    await inbox.next();
    await until("the try is in the log", async () => (await readCallback(id)).tries.length === 1);
    gateway.stepWallClock(-40 * DAY_MS);
    expect((await inbox.next()).headers["webhook-id"]).toBe(id);
  },
);

test("a receiver that never replies delays no other, and a restart loses nothing", async () => {
  const hanging = createInbox();
  for (let call = 0; call < 4; call++) hanging.hang();
  const made = [];
  for (let call = 0; call < 6; call++)
    made.push(await client.create({ ...image, callback_url: hanging.url }));
  const other = await make();
  expect((await inbox.next()).headers["webhook-id"]).toBe(other.id);
  for (const { id } of made) await client.follow(id);
  await hanging.next();
  await gateway.restart();
  const told = new Set<string | undefined>();
  while (told.size < made.length) told.add((await hanging.next()).headers["webhook-id"]);
  expect(told).toEqual(new Set(made.map(({ id }) => id)));
  await hanging.close();
});

test("a callback that is resent many times keeps only its last tries", async () => {
  const task = await make();
  await inbox.next();
  const isDelivered = async () => (await readCallback(task.id)).status === "delivered";
  await until("the first try is in the log", isDelivered);
  const tries = Array.from({ length: 150 }, (_, again) => `('${task.id}', ${again}, 1)`);
  await queryDatabase(
    gateway,
    `INSERT INTO task_callback_tries (task_id, at_ms, took_ms) VALUES ${tries.join()}`,
  );
  const beforeAt = Math.floor(gateway.runtime.clock.nowMs() / 1_000);
  gateway.pass(3_000);
  await client.ask(`/tasks/${task.id}/callback/send`, {});
  await inbox.next();
  await until("the last try is in the log", isDelivered);
  const kept = (await readCallback(task.id)).tries;
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)?.at).toBeGreaterThan(beforeAt);
});

test("a project with many receivers that never reply delays no other project", async () => {
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const hanging = Bun.serve({
    port: 0,
    hostname: "0.0.0.0",
    fetch() {
      held();
      return new Promise<Response>(() => {});
    },
  });
  const addresses = Array.from({ length: 60 }, (_, index) => `127.0.1.${index + 1}`);
  await using other = await serveOther(["127.0.0.1", ...addresses]);
  for (const address of addresses)
    await other.client.create({ ...image, callback_url: `http://${address}:${hanging.port}/` });
  await other.client.follow((await other.client.create(image)).id);
  await isHeld;
  const body = JSON.stringify({ ...image, callback_url: inbox.url });
  const made = await fetchWithKey(`${other.gateway.baseUrl}/chat/completions`, {
    key: other.keyElsewhere,
    body,
  });
  const { id } = (await made.json()) as Task;
  const run = setInterval(() => other.gateway.pass(250), 20);
  expect((await inbox.next()).headers["webhook-id"]).toBe(id);
  clearInterval(run);
  await hanging.stop(true);
});

/** A gateway that trusts these hosts, with a key of a second project. */
async function serveOther(callbackHosts: string[]) {
  const served = await serveGateway({ callbackHosts });
  const { id } = await served.admin<{ id: string }>("POST", "/organization/projects", {
    name: "Elsewhere",
  });
  const keys = `/organization/projects/${id}/api_keys`;
  const { value } = await served.admin<{ value: string }>("POST", keys, { name: "Elsewhere" });
  return {
    gateway: served,
    client: createTaskClient(served),
    keyElsewhere: value,
    [Symbol.asyncDispose]: () => served.close(),
  };
}

test("a task without an address has no callback", async () => {
  const task = await client.follow((await client.create(image)).id);
  expect((await client.ask(`/tasks/${task.id}/callback`)).status).toBe(404);
  expect((await client.ask(`/tasks/${task.id}/callback/send`, {})).status).toBe(404);
});
