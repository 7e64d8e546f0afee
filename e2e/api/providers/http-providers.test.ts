import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS } from "@/lib/contract/durations";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  picture,
  startTaskApiServer,
  type TaskApiServer,
  taskApiMapping,
} from "../../support/servers/task-api-server";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let server: TaskApiServer;
let losing: TaskApiServer;
let gateway: ServedGateway;
let tasks: TaskClient;
let isLost = false;

const model = (id: string, provider: string) =>
  `  - { id: ${id}, family: image, rate: "1", unit_price: { unit: image, amount: "0.04" }, routes: [{ provider: ${provider}, model: vendor/paint-2 }] }`;

beforeAll(async () => {
  const loses = () => isLost;
  server = await startTaskApiServer({ loses });
  losing = await startTaskApiServer({ loses: () => true });
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: `
providers:
  - { id: frames, kind: http, base_url: "${server.url}", api_key: ${server.key}, task_api: ${taskApiMapping()} }
  - { id: once, kind: http, base_url: "${losing.url}", api_key: ${losing.key}, task_api: ${taskApiMapping({})} }
  - { id: away, kind: http, base_url: "http://127.0.0.1:1", api_key: x, task_api: ${taskApiMapping()} }
models:
${model("painter", "frames")}
${model("careless", "once")}
${model("far", "away")}
`,
  });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
  await losing.stop();
});
beforeEach(() => {
  isLost = false;
  server.made.length = 0;
});

const create = (prompt: string, fields: object = {}) => tasks.create({ model: "painter", prompt, ...fields });
const spentOn = async (work: () => Promise<unknown>) => {
  const before = await tasks.balance();
  await work();
  const after = await tasks.balance();
  expect(after.held).toBe(before.held);
  return Number((Number(before.posted) - Number(after.posted)).toFixed(9));
};

describe("a task of a mapped API", () => {
  test("is ordered as the template says, polled with its progress, and its files are fetched", async () => {
    const spent = await spentOn(async () => {
      const { id } = await create("a lighthouse", { n: 2, size: "512x256", seed: 7 });
      const going = await tasks.follow(id, ({ progress }) => progress !== null);
      expect(going).toMatchObject({ status: "running", progress: 42, provider_state: "known" });
      const made = await tasks.follow(id);
      expect(made).toMatchObject({
        status: "succeeded",
        output: [{ mime_type: "image/png" }, { bytes: picture.length }],
      });
      const bytes = await (await tasks.ask(`/tasks/${id}/output/1`)).bytes();
      expect(picture.equals(bytes)).toBe(true);
      expect(server.made).toMatchObject([
        {
          key: id,
          order: {
            model: "vendor/paint-2",
            input: { prompt: "a lighthouse", copies: 2, format: "512x256", seed: 7 },
          },
        },
      ]);
    });
    expect(spent).toBe(0.08);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("leaves out what the call has no value for, and never fills in the caller's own braces", async () => {
    const { id } = await create("{model} and {task_id}");
    await tasks.follow(id);
    expect(server.made[0]?.order.input).toEqual({ prompt: "{model} and {task_id}", copies: 1 });
  });

  test.each([
    ["fails", { code: "melted", message: "It melted. ***" }],
    ["refused", { code: "not_allowed", message: "The provider answered 422: No. Not with ***" }],
  ])("that %s costs nothing, and says why without the provider's key", async (prompt, error) => {
    const spent = await spentOn(async () => {
      const { id } = await create(prompt);
      expect(await tasks.follow(id)).toMatchObject({ status: "failed", error });
    });
    expect(spent).toBe(0);
  });

  test("is canceled at the provider, too", async () => {
    const spent = await spentOn(async () => {
      const { id } = await create("endless");
      await tasks.follow(id, ({ progress }) => progress !== null);
      await tasks.ask(`/tasks/${id}/cancel`, {});
      expect(await tasks.follow(id)).toMatchObject({ status: "canceled" });
    });
    expect([spent, server.made[0]?.status]).toEqual([0, "stopped"]);
  });

  test("whose order lost its answer is ordered again under its key, and made once", async () => {
    isLost = true;
    const { id } = await create("lost");
    await until("the order has arrived", () => server.made.length === 1);
    isLost = false;
    expect(await tasks.follow(id)).toMatchObject({ status: "succeeded" });
    expect(server.made.map(({ key }) => key)).toEqual([id]);
  });

  test("whose order lost its answer is neither ordered again nor refunded where the API has no such key", async () => {
    const before = await tasks.balance();
    const { id } = await tasks.create({ model: "careless", prompt: "lost" });
    const unknown = (task: Task) => task.provider_state === "unknown";
    expect(await tasks.follow(id, unknown)).toMatchObject({ status: "running" });
    gateway.pass(HOUR_MS);
    expect(await tasks.follow(id, unknown)).toMatchObject({ status: "running", usage: null });
    expect(losing.made).toHaveLength(1);
    expect(Number((await tasks.balance()).held) - Number(before.held)).toBeCloseTo(0.04, 9);
  });

  test("waits for a provider that can't be reached, and can be canceled for free", async () => {
    const spent = await spentOn(async () => {
      const { id } = await tasks.create({ model: "far", prompt: "far" });
      await tasks.ask(`/tasks/${id}/cancel`, {});
      expect(await tasks.follow(id)).toMatchObject({ status: "canceled", usage: null });
    });
    expect(spent).toBe(0);
  });
});

test.each([
  ["quality", "high"],
  ["cfg_scale", 7],
])("a field that the mapping has no place for is refused, not left out: %s", async (field, value) => {
  const reply = await tasks.ask("/chat/completions", { model: "painter", prompt: "x", [field]: value });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { param: field } });
  expect(server.made).toEqual([]);
});

test("the provider is listed with its API and without its key, and takes no models of other families", async () => {
  const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/providers");
  expect(data.find(({ id }) => id === "frames")).toMatchObject({
    kind: "http",
    has_api_key: true,
    api_keys: [{ id: "key_1", hint: expect.stringMatching(/^…/) }],
    resting_api_keys: [],
    task_api: {
      makes: ["image"],
      submit: "POST /v2/jobs",
      poll: "GET /v2/jobs/{id}",
      cancel: "POST /v2/jobs/{id}/stop",
      poll_seconds: 0.5,
      repeats_lost_orders: true,
    },
  });
  expect(JSON.stringify(data)).not.toContain(server.key);
  const chat = { id: "talker", family: "chat", rate: "1", price: { input_per_1m: "1", output_per_1m: "1" } };
  const added = gateway.admin("POST", "/organization/models", {
    ...chat,
    routes: [{ provider: "frames", model: "x" }],
  });
  expect(added).rejects.toThrow("makes only image models; choose another provider for a chat model");
  const mapped = { id: "new", kind: "http", base_url: "https://jobs.example" };
  expect(gateway.admin("POST", "/organization/providers", mapped)).rejects.toThrow("400");
});
