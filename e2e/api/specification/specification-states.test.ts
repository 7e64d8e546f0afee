import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS } from "@/lib/contract/durations";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createInbox } from "../../support/servers/inbox";

/**
 * The specification's sections 3, 2.4 and 6 for the tasks of each family: their states, how these follow each other,
 * and where they are told. The specification names one status; the others and their order are this service's own.
 */
let gateway: ServedGateway;
let tasks: TaskClient;
let inbox: ReturnType<typeof createInbox>;

beforeAll(async () => {
  inbox = createInbox();
  gateway = await serveGateway({ callbackHosts: ["127.0.0.1", "localhost"] });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await inbox.close();
});

const orders = {
  image: { model: "sandbox-image", prompt: "x", size: "16x16" },
  video: { model: "sandbox-video", prompt: "x", seconds: 1 },
  music: { model: "sandbox-music", prompt: "x", seconds: 1 },
} as const;
const families = Object.keys(orders) as (keyof typeof orders)[];
const order = (family: keyof typeof orders, sandbox: object) => ({ ...orders[family], sandbox });

const final = ["succeeded", "failed", "canceled"];
/** Which statuses may follow each. */
const after: Readonly<Record<string, readonly string[]>> = { queued: ["running", ...final], running: final };

/** Follows a task to its end; `act` acts half-way. @returns its statuses in their order, each once. */
async function watch(made: Task, act: (task: Task) => Promise<void> = async () => {}): Promise<string[]> {
  const seen: string[] = [made.status];
  const note = ({ status }: Task) => void (seen.at(-1) !== status && seen.push(status));
  await act(
    await tasks.follow(made.id, (task) => (note(task), task.progress === 50 || task.ended_at !== null)),
  );
  await tasks.follow(made.id, (task) => (note(task), task.ended_at !== null));
  for (const [index, status] of seen.entries()) {
    const next = seen[index + 1];
    if (next) expect([status, next, after[status]?.includes(next)]).toEqual([status, next, true]);
  }
  return seen;
}

const cancel = async ({ id }: Task) => {
  expect((await tasks.ask(`/tasks/${id}/cancel`, {})).status).toBe(200);
};

describe("3. States and transitions", () => {
  test("status is the only field that is a state, and only tasks have it", async () => {
    const made = await tasks.create(order("image", { takes_ms: 0 }));
    for (const task of [made, await tasks.follow(made.id)]) {
      const states = Object.entries(task).filter(([, value]) =>
        ["queued", "running", ...final].includes(String(value)),
      );
      expect(states.map(([field]) => field)).toEqual(["status"]);
    }
    const words = { model: "sandbox-echo", messages: [{ role: "user", content: "Hi" }], max_tokens: 9 };
    for (const path of ["/chat/completions", "/messages"]) {
      const { status, body } = await send(gateway.baseUrl + path, {
        method: "POST",
        key: gateway.key,
        body: words,
      });
      expect([path, status, "status" in body]).toEqual([path, 200, false]);
    }
  });

  test.each(families)("a task of the %s family succeeds, after it was queued and ran", async (family) => {
    const seen = await watch(await tasks.create(order(family, { takes_ms: 5_000 })));
    expect(seen.at(-1)).toBe("succeeded");
    expect(seen).toContain("running");
  });

  test("a task that fails or is refused ends as failed, one that is canceled as canceled", async () => {
    for (const outcome of ["failed", "refused"])
      expect((await watch(await tasks.create(order("image", { takes_ms: 0, outcome })))).at(-1)).toBe(
        "failed",
      );
    const endless = await tasks.create(order("video", { outcome: "never ends" }));
    expect((await watch(endless, cancel)).at(-1)).toBe("canceled");
  });

  test("a final status never changes, whatever is asked and however much time passes", async () => {
    const ended: Task[] = [];
    for (const outcome of ["succeeded", "failed"]) {
      const fields = outcome === "failed" ? { takes_ms: 0, outcome } : { takes_ms: 0 };
      ended.push(await tasks.follow((await tasks.create(order("image", fields))).id));
    }
    const endless = await tasks.create(order("video", { outcome: "never ends" }));
    await watch(endless, cancel);
    ended.push(await tasks.follow(endless.id));
    expect(ended.map(({ status }) => status)).toEqual(["succeeded", "failed", "canceled"]);
    for (const { id } of ended) expect((await tasks.ask(`/tasks/${id}/cancel`, {})).status).toBe(409);
    gateway.pass(HOUR_MS);
    await gateway.restart();
    for (const task of ended) expect(await tasks.follow(task.id)).toEqual(task);
  });

  test("the creation, the task, the list and the callback tell the same status", async () => {
    const fields = { ...order("image", { takes_ms: 0 }), callback_url: `${inbox.url}states` };
    const made = await tasks.create(fields);
    const ended = await tasks.follow(made.id);
    const list = await send(`${gateway.baseUrl}/tasks`, { key: gateway.key });
    const listed = (list.body.data as Task[]).find(({ id }) => id === made.id);
    expect(listed?.status).toBe(ended.status);
    const told = JSON.parse((await inbox.next()).body) as { type: string; data: Task };
    expect([told.type, told.data.status]).toEqual([`task.${ended.status}`, ended.status]);
  });
});

describe("2.4 Generic request or task response", () => {
  test.each(families)(
    "a task of the %s family has the table's fields, and keeps what it is",
    async (family) => {
      const made = await tasks.create(order(family, { takes_ms: 0 }));
      const ended = await tasks.follow(made.id);
      for (const task of [made, ended]) {
        expect(task).toMatchObject({ id: made.id, model: orders[family].model, created: made.created });
        expect([typeof task.status, task.error]).toEqual(["string", null]);
      }
      expect(made.id).toMatch(/^task_/);
      expect(Math.abs(made.created - gateway.runtime.clock.nowMs() / 1_000)).toBeLessThan(60);
      expect([made.usage, ended.usage === null]).toEqual([null, false]);
    },
  );
});

describe("6. Events", () => {
  test("a task that failed or was canceled reports too, and one without a callback_url reports nothing", async () => {
    const callback_url = `${inbox.url}ends`;
    const silent = await tasks.create(order("image", { takes_ms: 0 }));
    await tasks.follow(silent.id);
    const failing = await tasks.create({
      ...order("image", { takes_ms: 0, outcome: "failed" }),
      callback_url,
    });
    await tasks.follow(failing.id);
    const failed = JSON.parse((await inbox.next()).body) as { type: string; data: Task };
    expect([failed.type, failed.data.id]).toEqual(["task.failed", failing.id]);
    const endless = await tasks.create({ ...order("video", { outcome: "never ends" }), callback_url });
    await watch(endless, cancel);
    const canceled = JSON.parse((await inbox.next()).body) as { type: string; data: Task };
    expect([canceled.type, canceled.data.id]).toEqual(["task.canceled", endless.id]);
  });
});
