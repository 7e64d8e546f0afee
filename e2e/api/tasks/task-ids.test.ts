import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "../../support/servers/scripted-provider";
import { picture } from "../../support/servers/task-api-server";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let tasks: TaskClient;

const mapping = (id: string) => ({
  makes: ["image"],
  submit: { path: "/jobs", body: { prompt: "{prompt}" }, id: "/name" },
  poll: { path: `/v1/${id}`, status: "/status", statuses: { succeeded: ["done"], failed: ["failed"] } },
  outputs: { path: `/v1/${id}/file` },
  cancel: { path: `/v1/${id}:cancel` },
});

beforeAll(async () => {
  provider = startScriptedProvider();
  const { origin } = new URL(provider.baseUrl);
  const ways = { segment: "{id}", path: "{+id}" };
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: JSON.stringify({
      providers: Object.entries(ways).map(([name, id]) => ({
        id: name,
        kind: "http",
        base_url: origin,
        task_api: mapping(id),
      })),
      models: Object.keys(ways).map((name) => ({
        id: name,
        family: "image",
        rate: "1",
        unit_price: { unit: "image", amount: "0.04" },
        routes: [{ provider: name, model: "x" }],
      })),
    }),
  });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});
beforeEach(() => {
  provider.visits.length = 0;
});

/** Takes orders under this id, and has finished each at the first poll. */
const finishUnder = (name: unknown) =>
  provider.answerWith(({ path }) => {
    if (path === "/jobs") return Response.json({ name });
    return path.endsWith("/file") ? new Response(picture) : Response.json({ status: "done" });
  });
const recordPaths = async (model: string, isSettled: Parameters<TaskClient["follow"]>[1]) => {
  const { id } = await tasks.create({ model, prompt: "x" });
  const task = await tasks.follow(id, isSettled);
  return { task, paths: provider.visits.map(({ path }) => path) };
};
const isSettled = ({
  ended_at,
  provider_state,
}: {
  ended_at: number | null;
  provider_state: string | null;
}) => ended_at !== null || provider_state === "unknown";

test.each<[string, string, string]>([
  ["segment", "projects/7/operations/ab", "projects%2F7%2Foperations%2Fab"],
  ["segment", "tâche-日本-🎬", "t%C3%A2che-%E6%97%A5%E6%9C%AC-%F0%9F%8E%AC"],
  ["segment", "a?b#c%2e", "a%3Fb%23c%252e"],
  ["path", "projects/7/operations/ab", "projects/7/operations/ab"],
  ["path", "opération/日本?x#y", "op%C3%A9ration/%E6%97%A5%E6%9C%AC%3Fx%23y"],
  ["path", "one", "one"],
])("as a %s, the id %s is sent as %s", async (model, name, sent) => {
  finishUnder(name);
  const { task, paths } = await recordPaths(model, isSettled);
  expect(task.status).toBe("succeeded");
  expect(paths).toEqual(["/jobs", `/v1/${sent}`, `/v1/${sent}/file`]);
});

test.each<[string, string]>([
  ["path", "../organization"],
  ["path", "operations/./1"],
  ["path", "/operations/1"],
  ["path", "operations//1"],
  ["path", "operations/"],
  ["segment", ".."],
  ["segment", "a\u0000b"],
  ["segment", "a\u202eb"],
  ["segment", "a\u2028b"],
])("as a %s, the id %j is asked for nowhere", async (model, name) => {
  finishUnder(name);
  const { task, paths } = await recordPaths(model, isSettled);
  expect(task).toMatchObject({ status: "running", provider_state: "unknown" });
  expect(paths).toEqual(["/jobs"]);
});

test("half of a surrogate pair is not accepted as an id", async () => {
  provider.answerWith(({ path }) =>
    path === "/jobs" ? new Response('{"name":"a\\ud800b"}') : Response.json({ status: "done" }),
  );
  const { task, paths } = await recordPaths("segment", isSettled);
  expect([task.provider_state, paths]).toEqual(["unknown", ["/jobs"]]);
});
