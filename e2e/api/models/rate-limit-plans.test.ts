import { beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "@/lib/contract/durations";
import type { LimitChangesMade, RateLimitPair } from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import type { LimitReplay } from "@/lib/contract/operations/models/rate-limit-replay";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let projects: string[];
let plan: LimitPlanObject;

serveForAll((served) => {
  gateway = served;
});

let made = 0;
beforeEach(async () => {
  const create = async () =>
    (await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: `P${++made}` })).id;
  projects = [await create(), await create()];
  plan = await gateway.admin("POST", path(), { name: `Trial ${made}` });
});

const path = (end = "") => `/organization/rate_limits/plans${end}`;
const find = async (project = 0, model = "sandbox-echo") => {
  const query = `project_id=${projects[project]}&model=${model}`;
  const { data } = await gateway.admin<{ data: RateLimitPair[] }>(
    "GET",
    `/organization/rate_limits?${query}`,
  );
  return data[0];
};
const save = (...changes: object[]) =>
  gateway.admin<LimitChangesMade>("POST", "/organization/rate_limits/changes", { changes });
const ofPlan = (fields: object, model: string | null = null) => ({ plan_id: plan.id, model, ...fields });
const follow = (...add: (string | undefined)[]) =>
  gateway.admin<LimitPlanObject>("POST", path(`/${plan.id}/projects`), { add });

async function remove(id: string, moveTo?: string): Promise<{ status: number; param?: string }> {
  const query = moveTo === undefined ? "" : `?move_to=${moveTo}`;
  const response = await fetchWithKey(`${gateway.baseUrl}${path(`/${id}`)}${query}`, {
    method: "DELETE",
    key: gateway.adminKey,
  });
  const { error } = (await response.json()) as { error?: { param: string } };
  return { status: response.status, ...(error && { param: error.param }) };
}

test("a plan's limits hold in every project that follows it, unless one sets its own", async () => {
  expect(await follow(...projects)).toMatchObject({ projects: 2, limits: [] });
  await gateway.admin("POST", `/organization/projects/${projects[1]}/rate_limits/sandbox-echo`, {
    max_requests_per_1_minute: 9,
  });
  const saved = await save(
    ofPlan({ max_requests_per_1_minute: 20, max_requests_per_1_day: 500 }),
    ofPlan({ max_requests_per_1_minute: 3 }, "sandbox-echo"),
  );
  expect(saved).toMatchObject({
    size: 2,
    changes: [
      { plan_id: plan.id, model: null, before: { max_requests_per_1_minute: "default" } },
      { plan_id: plan.id, model: "sandbox-echo", after: { max_requests_per_1_minute: 3 } },
    ],
  });
  const expectFollowed = async () => {
    expect(await find()).toMatchObject({
      plan_id: plan.id,
      max_requests_per_1_minute: 3,
      max_requests_per_1_day: 500,
      own_fields: [],
    });
    expect(await find(0, "sandbox-slow")).toMatchObject({ max_requests_per_1_minute: 20 });
    expect(await find(1)).toMatchObject({ max_requests_per_1_minute: 9, max_requests_per_1_day: 500 });
  };
  await expectFollowed();
  await gateway.restart();
  await expectFollowed();
  const key = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${projects[0]}/api_keys`,
    {
      name: "k",
    },
  );
  await save(ofPlan({ max_requests_per_1_minute: 0 }, "sandbox-echo"));
  const call = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-echo", messages: [{ role: "user", content: "hi" }] }),
  });
  expect([call.status, (await call.json()).error.code]).toEqual([429, "max_requests_per_1_minute"]);

  const { id } = await save(
    ofPlan({ max_requests_per_1_minute: 4 }, "sandbox-echo"),
    ofPlan({ max_requests_per_1_day: 600 }),
  );
  await save(ofPlan({ max_requests_per_1_day: 700 }));
  const undone = await gateway.admin("POST", `/organization/rate_limits/changes/${id}/undo`);
  expect(undone).toMatchObject({
    undone: [{ plan_id: plan.id, model: "sandbox-echo", after: { max_requests_per_1_minute: 0 } }],
    left: [{ plan_id: plan.id, model: null, field: "max_requests_per_1_day", by: "First admin key" }],
  });
  expect(await find()).toMatchObject({ max_requests_per_1_minute: 0, max_requests_per_1_day: 700 });
});

test("a followed plan is deleted with a decision about its projects, and a name is taken once", async () => {
  await follow(projects[0]);
  await save(ofPlan({ max_requests_per_1_minute: 7 }));
  expect(await remove(plan.id)).toMatchObject({ status: 409, param: "move_to" });
  expect(await remove(plan.id, "none")).toMatchObject({ status: 404, param: "move_to" });
  expect(await remove(plan.id, plan.id)).toMatchObject({ status: 404, param: "move_to" });
  await expect(gateway.admin("POST", path(), { name: plan.name.toUpperCase() })).rejects.toThrow("409");
  const other = await gateway.admin<LimitPlanObject>("POST", path(), { name: `Standard ${made}` });
  await save({ plan_id: other.id, model: null, max_requests_per_1_minute: 8 });
  expect(await remove(plan.id, other.id)).toMatchObject({ status: 200 });
  expect(await find()).toMatchObject({ plan_id: other.id, max_requests_per_1_minute: 8 });
  await expect(gateway.admin("GET", path(`/${plan.id}`))).rejects.toThrow("404");
  expect(await remove(other.id, "defaults")).toMatchObject({ status: 200 });
  expect(await find()).toMatchObject({ plan_id: null, max_requests_per_1_minute: 600 });
});

test("a stale, unknown or doubly named plan changes nothing, and a project leaves only the plan it follows", async () => {
  const { version } = await gateway.admin<LimitPlanObject>("GET", path(`/${plan.id}`));
  await save(ofPlan({ max_requests_per_1_minute: 7 }));
  await expect(save(ofPlan({ max_requests_per_1_minute: 8, version }))).rejects.toThrow("412");
  for (const [change, status] of [
    [{ plan_id: "none", model: null, max_requests_per_1_minute: 1 }, "404"],
    [ofPlan({ max_requests_per_1_minute: 1 }, "none"), "404"],
    [{ plan_id: plan.id, max_requests_per_1_minute: 1 }, "400"],
    [{ ...ofPlan({ max_requests_per_1_minute: 1 }), project_id: projects[0] }, "400"],
    [{ max_requests_per_1_minute: 1, model: "sandbox-echo" }, "400"],
    [{ default_id: "none", max_requests_per_1_minute: 1 }, "404"],
    [{ default_id: "organization", model: "sandbox-echo", max_requests_per_1_minute: 1 }, "400"],
  ] as const)
    await expect(save(change)).rejects.toThrow(status);
  expect(await gateway.admin("GET", path(`/${plan.id}`))).toMatchObject({
    limits: [{ model: null, max_requests_per_1_minute: 7 }],
  });
  const other = await gateway.admin<LimitPlanObject>("POST", path(), { name: `Standard ${made}` });
  await follow(projects[0]);
  await gateway.admin("POST", path(`/${other.id}/projects`), { remove: [projects[0]] });
  expect((await find())?.plan_id).toBe(plan.id);
  await gateway.admin("POST", path(`/${other.id}/projects`), { add: [projects[0]] });
  expect((await find())?.plan_id).toBe(other.id);
});

test("defaults are changed with others, undone together, and back to the file's", async () => {
  const day = "max_requests_per_1_day";
  const { id } = await save(
    { default_id: "organization", [day]: 900 },
    { default_id: "sandbox-slow", [day]: 800 },
    { project_id: projects[0], model: "sandbox-echo", [day]: 700 },
  );
  expect(await find(1)).toMatchObject({ [day]: 900, own_fields: [] });
  expect(await find(1, "sandbox-slow")).toMatchObject({ [day]: 800 });
  expect(await find(0)).toMatchObject({ [day]: 700, own_fields: [day] });
  await gateway.admin("POST", `/organization/rate_limits/changes/${id}/undo`);
  expect(await find(1)).toMatchObject({ [day]: null });
  expect(await find(1, "sandbox-slow")).toMatchObject({ [day]: null });
  expect(await find(0)).toMatchObject({ [day]: null, own_fields: [] });
});

test("a replay says what a plan or default would have refused in all projects that follow it", async () => {
  const keys = await Promise.all(
    projects.map((id) =>
      gateway.admin<{ value: string }>("POST", `/organization/projects/${id}/api_keys`, { name: "k" }),
    ),
  );
  for (const { value } of keys)
    for (let call = 0; call < 4; call++)
      await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "sandbox-echo", messages: [{ role: "user", content: "hi" }] }),
      }).then((response) => response.text());
  gateway.pass(HOUR_MS);
  await follow(...projects);
  await gateway.admin("POST", `/organization/projects/${projects[1]}/rate_limits/sandbox-echo`, {
    max_requests_per_1_minute: 9,
  });
  const replay = (...changes: object[]) =>
    gateway.admin<LimitReplay>("POST", "/organization/rate_limits/replay", { changes, days: 1 });
  const drafted = [
    ofPlan({ max_requests_per_1_minute: 1 }, "sandbox-echo"),
    { default_id: "sandbox-slow", max_requests_per_1_minute: 1 },
  ];
  await until("all calls are logged", async () => (await replay(...drafted)).calls === 4);
  expect(await replay(...drafted)).toMatchObject({
    newly_refused: 3,
    changes: [
      {
        plan_id: plan.id,
        model: "sandbox-echo",
        pairs: 1,
        newly_refused: 3,
        least_values: { max_requests_per_1_minute: 4 },
      },
      { default_id: "sandbox-slow", newly_refused: 0 },
    ],
  });
  expect(await replay(ofPlan({ max_requests_per_1_day: 3 }))).toMatchObject({
    calls: 8,
    newly_refused: 2,
  });
});
