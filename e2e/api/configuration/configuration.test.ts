import { afterEach, beforeEach, expect, test } from "bun:test";
import { stringify } from "yaml";
import type {
  ConfigurationApplication,
  ConfigurationPlan,
  ConfigurationUndo,
} from "@/lib/contract/operations/configuration/configuration";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
beforeEach(async () => {
  gateway = await serveGateway({ isExpectedFault: () => true });
});
afterEach(() => gateway.close());

type Reply<Body> = { status: number; body: Body; error?: { code: string; param: string; message: string } };
const ask = <Body>(method: "GET" | "POST" | "DELETE", path: string, body?: object, key = gateway.adminKey) =>
  send(`${gateway.baseUrl}${path}`, { method, key, ...(body && { body }) }) as Promise<Reply<Body>>;
const admin = async <Body>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
  const reply = await ask<Body>(method, path, body);
  expect([method, path, reply.status, reply.error?.message]).toEqual([method, path, 200, undefined]);
  return reply.body;
};
const plan = (file: object | string) =>
  admin<ConfigurationPlan>("POST", "/organization/configuration/plan", {
    file: typeof file === "string" ? file : stringify(file),
  });
const apply = (planned: ConfigurationPlan, more: object = {}) =>
  admin<ConfigurationApplication>("POST", "/organization/configuration/apply", {
    plan_id: planned.id,
    ...more,
  });
const exported = async () =>
  (await admin<{ content: typeof whole }>("GET", "/organization/configuration")).content;
const ids = ({ changes }: Pick<ConfigurationPlan, "changes">) =>
  changes.map(({ id, kind, origin }) => `${origin} ${kind} ${id}`);

const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
const whole = {
  organization: { spend_limit: "5000.00", spend_alerts: [{ at: "4000", recipients: ["a@example.com"] }] },
  providers: [{ id: "near", kind: "openai", base_url: "http://127.0.0.1:9/v1", api_key: "${NEAR_KEY}" }],
  models: [
    {
      id: "near-model",
      family: "chat",
      rate: "1.2",
      price,
      routes: [{ provider: "near", model: "m" }],
      projects: ["Support bot"],
    },
  ],
  limit_plans: [
    {
      name: "Standard",
      rate_limits: {
        "*": { max_requests_per_1_minute: 300 },
        "near-model": { max_tokens_per_1_minute: 9_000, max_requests_per_1_day: null },
      },
    },
  ],
  projects: [
    {
      name: "Support bot",
      limit_plan: "Standard",
      hosted_tools: "refuse",
      models: ["near-model", "sandbox-echo"],
      rate_limits: { "near-model": { max_requests_per_1_minute: 900, max_requests_per_1_day: null } },
      spend_limit: "450.00",
      spend_alerts: [{ at: "300.00", recipients: ["b@example.com"], subject_prefix: "[spend]" }],
      roles: [{ name: "Testers", permissions: ["api.requests.read"] }],
    },
  ],
  roles: [
    { name: "Support lead", description: "Leads", permissions: ["api.users.read", "api.projects.read"] },
  ],
  groups: [
    { name: "Leads", roles: ["Support lead"], projects: { "Support bot": ["Project member", "Testers"] } },
  ],
};
/** Without the project that the gateway begins with, which the file would archive. */
const withFirst = async () => ({
  ...whole,
  projects: [...(await exported()).projects, ...whole.projects],
});

test("a whole file is planned, applied with its secret, and exported as it was declared; the next plan is empty", async () => {
  const file = await withFirst();
  const planned = await plan(file);
  expect(planned.changes.map(({ refusal }) => refusal)).toEqual(planned.changes.map(() => null));
  expect(planned.secrets).toEqual(["NEAR_KEY"]);
  expect((await admin<{ data: object[] }>("GET", "/organization/groups")).data).toEqual([]);
  const without = await ask("POST", "/organization/configuration/apply", { plan_id: planned.id });
  expect([without.status, without.error?.param]).toEqual([400, "secrets.NEAR_KEY"]);
  const applied = await apply(planned, { secrets: { NEAR_KEY: "sk-near" } });
  expect(applied.changes).toHaveLength(planned.changes.length);
  expect(ids(await plan(file))).toEqual([]);
  const content = await exported();
  expect(ids(await plan(content))).toEqual([]);
  expect(content.projects[1]).toMatchObject({ ...whole.projects[0] });
  expect(content.limit_plans).toEqual(whole.limit_plans);
  expect(content.groups).toMatchObject(whole.groups);
  expect(content.providers[0]).toMatchObject({ id: "near", api_key: "${NEAR_API_KEY}" });
  expect(content.models).toMatchObject([{ ...whole.models[0], rate: "1.20" }]);
  await gateway.restart();
  expect(ids(await plan(file))).toEqual([]);
  const events = await admin<{ data: { type: string }[] }>("GET", "/organization/audit_logs?limit=30");
  const types = events.data.map(({ type }) => type);
  for (const type of ["configuration.applied", "project.created", "rate_limit.updated", "role.created"])
    expect(types).toContain(type);
});

test("what the file leaves out is removed only where it is ticked, and a part that it doesn't have stays", async () => {
  await apply(await plan(await withFirst()), { secrets: { NEAR_KEY: "sk-near" } });
  const file = { roles: [], groups: [], projects: [{ name: "Support bot", rate_limits: {} }] };
  const planned = await plan(file);
  const [first] = (await exported()).projects;
  const archived = `projects/${encodeURIComponent(first?.name ?? "")}`;
  expect(ids(planned).toSorted()).toEqual(
    [
      `file remove ${archived}`,
      "file update projects/Support%20bot/rate_limits/near-model",
      "file remove roles/Support%20lead",
      "file remove groups/Leads",
    ].toSorted(),
  );
  await apply(planned);
  expect((await exported()).roles).toHaveLength(1);
  const again = await plan(file);
  expect(again.changes.map(({ kind }) => kind)).toEqual(["remove", "remove", "remove"]);
  await apply(again, { remove: ["roles/Support%20lead", "groups/Leads"] });
  const content = await exported();
  expect(content).toMatchObject({ roles: [], groups: [] });
  expect(content.projects).toHaveLength(2);
  expect(content.projects[1]).not.toHaveProperty("rate_limits");
});

test("what was changed here since is told apart, kept by default and taken back on demand", async () => {
  const file = await withFirst();
  await apply(await plan(file), { secrets: { NEAR_KEY: "sk-near" } });
  const { data } = await admin<{ data: { id: string; name: string }[] }>("GET", "/organization/projects");
  const projectId = data.find(({ name }) => name === "Support bot")?.id;
  const limits = `/organization/projects/${projectId}/rate_limits/rl_near-model`;
  await admin("POST", limits, { max_requests_per_1_minute: 800, max_tokens_per_1_minute: 5000 });
  const changed = structuredClone(file);
  const bot = changed.projects[1] as (typeof whole.projects)[number];
  bot.spend_limit = "500.00";
  const planned = await plan(changed);
  const limit = "projects/Support%20bot/rate_limits/near-model";
  expect(ids(planned).toSorted()).toEqual(
    [
      `here update ${limit}#max_requests_per_1_minute`,
      `here update ${limit}#max_tokens_per_1_minute`,
      "file update projects/Support%20bot/spend_limit",
    ].toSorted(),
  );
  const here = planned.changes.find(({ origin }) => origin === "here");
  expect(here).toMatchObject({
    fields: [{ before: 800, after: 900 }],
    changed_by: { name: expect.any(String) },
  });
  await apply(planned, { back: [`${limit}#max_tokens_per_1_minute`] });
  const now = await admin<Record<string, number>>("GET", limits);
  expect([now.max_requests_per_1_minute, now.max_tokens_per_1_minute]).toEqual([800, 9_000]);
  expect(ids(await plan(changed))).toEqual([`here update ${limit}#max_requests_per_1_minute`]);
});

test("a model's routes and price are changed by the file, and come back together", async () => {
  const file = await withFirst();
  await apply(await plan(file), { secrets: { NEAR_KEY: "sk-near" } });
  const routes = [
    { provider: "near", model: "m", group: 1, weight: 70 },
    { provider: "near", model: "canary", group: 1, weight: 30 },
  ];
  const near = { ...whole.models[0], rate: "1.3", routes };
  const planned = await plan({ models: [near] });
  expect(planned.changes[0]?.fields.map(({ name }) => name).toSorted()).toEqual(["rate", "routes"]);
  const applied = await apply(planned);
  expect((await exported()).models).toMatchObject([{ rate: "1.30", routes }]);
  expect(ids(await plan({ models: [near] }))).toEqual([]);
  await admin("POST", `/organization/configuration/applications/${applied.id}/undo`);
  expect((await exported()).models).toMatchObject([
    { rate: "1.20", routes: [{ provider: "near", model: "m" }] },
  ]);
});

test("a plan is refused with the differences once something has moved, and can be applied once", async () => {
  const file = { roles: [{ name: "A", permissions: ["api.users.read"] }] };
  const planned = await plan(file);
  await admin("POST", "/organization/roles", { role_name: "A", permissions: ["api.projects.read"] });
  const moved = await ask<never>("POST", "/organization/configuration/apply", { plan_id: planned.id });
  expect([moved.status, moved.error?.code]).toEqual([412, "stale_version"]);
  expect((moved.error as unknown as { current: ConfigurationPlan }).current).toMatchObject({
    changes: [{ id: "roles/A", kind: "update", fields: [{ before: ["api.projects.read"] }] }],
  });
  const second = await plan(file);
  await apply(second);
  const twice = await ask("POST", "/organization/configuration/apply", { plan_id: second.id });
  expect([twice.status, twice.error?.code]).toEqual([409, "already_decided"]);
});

test("nothing of a plan is kept if one of its changes is refused, and the plan says which one", async () => {
  const roles = [
    { name: "First", permissions: ["api.users.read"] },
    { name: "Last", permissions: ["api.users.read"] },
  ];
  const planned = await plan({ roles, groups: [{ name: "G", roles: ["First", "Nobody"] }] });
  expect(planned.changes.map(({ refusal }) => refusal?.message)).toEqual([
    undefined,
    undefined,
    'groups › G: There is no role "Nobody".',
  ]);
  const refused = await ask("POST", "/organization/configuration/apply", { plan_id: planned.id });
  expect(refused.status).toBe(400);
  const content = await exported();
  expect(content).toMatchObject({ roles: [], groups: [] });
});

test("an application is undone, except what was changed since, and only once", async () => {
  const file = await withFirst();
  const applied = await apply(await plan(file), { secrets: { NEAR_KEY: "sk-near" } });
  await admin("POST", "/organization/spend_limit", {
    currency: "USD",
    interval: "month",
    threshold_amount: 7_700,
  });
  const undo = () =>
    ask<ConfigurationUndo>("POST", `/organization/configuration/applications/${applied.id}/undo`);
  const { status, body, error } = await undo();
  expect([status, error?.message]).toEqual([200, undefined]);
  expect(body.left.map(({ id }) => id).toSorted()).toEqual([
    "models/near-model",
    "organization/spend_limit",
    "providers/near",
  ]);
  const content = await exported();
  expect(content).toMatchObject({ roles: [], groups: [], organization: { spend_limit: "77.00" } });
  expect((await undo()).status).toBe(409);
});

test("a planner sees and changes no more than their own permissions allow", async () => {
  const file = await withFirst();
  await apply(await plan(file), { secrets: { NEAR_KEY: "sk-near" } });
  const reader = await admin<{ id: string }>("POST", "/organization/roles", {
    role_name: "Reads roles",
    permissions: ["api.roles.read"],
  });
  const { value: key } = await admin<{ value: string }>("POST", "/organization/admin_api_keys", {
    name: "reads",
    role: reader.id,
  });
  const own = await ask<{ content: object; left_out: { part: string }[] }>(
    "GET",
    "/organization/configuration",
    undefined,
    key,
  );
  expect(Object.keys(own.body.content)).toEqual(["roles"]);
  expect(own.body.left_out.map(({ part }) => part)).toContain("projects.rate_limits");
  const planning = (planned: object) =>
    ask<ConfigurationPlan>("POST", "/organization/configuration/plan", { file: stringify(planned) }, key);
  expect((await planning({ models: whole.models })).status).toBe(403);
  const roles = [{ name: "Mine", permissions: ["api.users.read"] }];
  const { status, body } = await planning({ roles });
  expect(status).toBe(200);
  const mine = body.changes.find(({ id }) => id === "roles/Mine");
  expect(mine?.refusal?.code).toBe("missing_permission");
  const applying = await ask("POST", "/organization/configuration/apply", { plan_id: body.id }, key);
  expect(applying.status).toBe(403);
});

test("faults of a file are named all at once, with their places", async () => {
  const findFaults = async (file: string) => {
    const reply = await ask("POST", "/organization/configuration/plan", { file });
    expect([reply.status, reply.error?.param]).toEqual([400, "file"]);
    return reply.error?.message.split("\n").slice(1);
  };
  expect(await findFaults("projects:\n  - name: A\n    spend_limit: 5\nrolls: []\n")).toEqual([
    "projects[0].spend_limit must be text: write the number in quotes.",
    "the file has no such field: rolls.",
  ]);
  expect(await findFaults("groups: [{ name: A }, { name: A }]")).toEqual([
    "groups[1] stands here twice: give each another name.",
  ]);
  const open = "providers: [{ id: x, kind: openai, preset: openai, api_key: sk-open }]";
  const several = 'providers: [{ id: x, kind: openai, preset: openai, api_keys: ["${A}", sk-open] }]';
  expect(String(await findFaults(several))).toStartWith(
    "providers[0].api_keys[1] must be the name of a secret",
  );
  expect(String(await findFaults(open))).toStartWith("providers[0].api_key must be the name of a secret");
  expect(await findFaults("a: [")).toHaveLength(1);
  // A long one is read on a thread.
  const long = `rolls: []\n${"# a comment\n".repeat(2_000)}`;
  expect(await findFaults(long)).toEqual(["the file has no such field: rolls."]);
});

test("a CSV of limits or prices changes the cells that differ, names faults by line, and leaves the file's base alone", async () => {
  const file = await withFirst();
  await apply(await plan(file), { secrets: { NEAR_KEY: "sk-near" } });
  const planCsv = (csv: string) =>
    ask<ConfigurationPlan>("POST", "/organization/configuration/plan", { csv });
  const download = async (path: string) =>
    (
      await fetch(`${gateway.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${gateway.adminKey}`, accept: "text/csv" },
      })
    ).text();
  const limits = await download("/organization/rate_limits?search=near-model");
  expect(ids((await planCsv(limits)).body)).toEqual([]);
  const prices = await download("/organization/models");
  expect(ids((await planCsv(prices)).body)).toEqual([]);

  const edited =
    "project_name;model;max_requests_per_1_minute;max_tokens_per_1_minute;max_requests_per_1_day\n";
  const { body } = await planCsv(`${edited}Support bot;near-model;1.200;;default\n`);
  expect(body.source).toBe("csv");
  expect(body.changes).toMatchObject([
    {
      id: "projects/Support%20bot/rate_limits/near-model",
      origin: "file",
      fields: [
        { name: "max_requests_per_1_minute", before: 900, after: 1200 },
        { name: "max_requests_per_1_day", before: "no limit", after: null },
      ],
    },
  ]);
  await apply(body);
  const priced = await planCsv("id,rate,price.input_per_1m\nnear-model,1.5,0.80\n");
  expect(priced.body.changes.map(({ fields }) => fields.map(({ name }) => name))).toEqual([
    ["rate", "price"],
  ]);
  await apply(priced.body);
  const origins = (await plan(file)).changes.map(({ origin }) => origin);
  expect(new Set(origins)).toEqual(new Set(["here"]));

  const wrong = await planCsv(`${edited}Nobody;near-model;1;;\nSupport bot;near-model;many;;\n`);
  expect([wrong.status, wrong.error?.param]).toEqual([400, "csv"]);
  expect(wrong.error?.message.split("\n").slice(1)).toEqual([
    'line 2: there is no project "Nobody".',
    'line 3, max_requests_per_1_minute: "many" is not a limit.',
  ]);
  expect((await planCsv("a,b\n1,2\n")).status).toBe(400);
});

test("many limits are made at once, each with its event, and undone at once; the refused one is named", async () => {
  const names = ["Alpha", "Beta", "Gamma"];
  const models = ["sandbox-echo", "sandbox-chat"];
  const [first] = (await exported()).projects;
  const file = (limits: object) => ({
    projects: [{ name: first?.name }, ...names.map((name) => ({ name, rate_limits: limits }))],
  });
  const limits = Object.fromEntries(models.map((model) => [model, { max_requests_per_1_minute: 70 }]));
  const refused = await ask("POST", "/organization/configuration/apply", {
    plan_id: (await plan(file({ ...limits, missing: { max_requests_per_1_minute: 1 } }))).id,
  });
  expect([refused.status, refused.error?.message]).toEqual([
    404,
    expect.stringContaining("projects › Alpha › rate_limits › missing: "),
  ]);
  expect((await exported()).projects).toHaveLength(1);

  const applied = await apply(await plan(file(limits)));
  expect(ids(await plan(file(limits)))).toEqual([]);
  const events = await admin<{ data: object[] }>(
    "GET",
    "/organization/audit_logs?event_types[]=rate_limit.updated&limit=50",
  );
  expect(events.data).toHaveLength(names.length * models.length);
  const edited = structuredClone(file(limits));
  Object.assign(edited.projects[1] ?? {}, { rate_limits: { ...limits, "sandbox-echo": {} } });
  await apply(await plan(edited));
  const { undone, left } = await admin<ConfigurationUndo>(
    "POST",
    `/organization/configuration/applications/${applied.id}/undo`,
  );
  expect(left.map(({ id }) => id)).toEqual(["projects/Alpha/rate_limits/sandbox-echo"]);
  expect(undone).toHaveLength(applied.changes.length - 1);
  expect((await exported()).projects).toHaveLength(1);
});
