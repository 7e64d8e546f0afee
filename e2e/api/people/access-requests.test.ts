import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { until } from "../../support/clients/until";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let ada: { id: string; token: string };
let ben: { id: string; token: string };

/** Ben may send prompts in the project, and Ada is an Owner. */
serveForEach(
  async (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
    ada = await joinMember(gateway, "ada@example.com", { role: "owner" });
    ben = await joinMember(gateway, "ben@example.com", { role: "prompt_tester" });
    await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 3 });
  },
  { isExamined: true },
);

const askForMore = (requests = 10, key = ben.token) =>
  ask(
    "POST",
    "/access_requests",
    { project_id: gateway.projectId, model: "sandbox-echo", limits: { max_requests_per_1_minute: requests } },
    key,
  );
const askForPermission = (permission: string, project_id: string | null = null, key = ben.token) =>
  ask("POST", "/access_requests", { permission, project_id }, key);
const approve = (id: unknown, key = ada.token, days: number | null = null) =>
  ask("POST", `/access_requests/${id}/approve`, { days }, key);
const decline = (id: unknown, key = ada.token, reason = "Too much") =>
  ask("POST", `/access_requests/${id}/decline`, { reason }, key);
const list = async (query: string, key: string) =>
  (await ask("GET", `/access_requests${query}`, undefined, key)).body.data as { id: string }[];
const requestsPerMinute = async () => {
  const path = `/organization/projects/${gateway.projectId}/rate_limits/sandbox-echo`;
  return (await gateway.admin<Record<string, number>>("GET", path)).max_requests_per_1_minute;
};
/** By the admin key, since sessions have ended after days. */
const find = (id: unknown) =>
  gateway.admin<{ ended_at: number | null }>("GET", `/organization/access_requests/${id}`);

test("a limit that was asked for is set by one approval, and not before", async () => {
  const { body: asked } = await askForMore();
  expect(asked).toMatchObject({
    kind: "rate_limits",
    status: "pending",
    model: "sandbox-echo",
    limits: { max_requests_per_1_minute: 10 },
    limits_now: { max_requests_per_1_minute: 3 },
    requested_by: { id: ben.id, name: "ben" },
    may_decide: false,
  });
  expect(await requestsPerMinute()).toBe(3);
  expect(await list("?of=others&status=pending", ada.token)).toMatchObject([
    { id: asked.id, may_decide: true },
  ]);
  expect(await list("?of=own", ada.token)).toEqual([]);
  const { body: approved } = await approve(asked.id);
  expect(approved).toMatchObject({ status: "approved", decided_by: { id: ada.id }, ends_at: null });
  expect(await requestsPerMinute()).toBe(10);
  expect((await approve(asked.id)).body.error).toMatchObject({ code: "already_decided" });
  const { data } = await gateway.admin<{ data: { type: string }[] }>("GET", "/organization/audit_logs");
  expect(data.slice(0, 2).map(({ type }) => type)).toEqual([
    "access_request.approved",
    "access_request.created",
  ]);
});

test("only whoever could change it may approve, others don't find it, and its maker may withdraw it", async () => {
  const { body: asked } = await askForMore();
  expect((await approve(asked.id, ben.token)).body.error).toMatchObject({
    code: "missing_permission",
    permission: "api.rate_limits.write",
  });
  const eve = await joinMember(gateway, "eve@example.com", { role: "finance" });
  for (const answer of [await approve(asked.id, eve.token), await decline(asked.id, eve.token)])
    expect(answer.status).toBe(404);
  expect(await list("", eve.token)).toEqual([]);
  expect((await askForMore(10, gateway.key)).status).toBe(403);
  expect((await decline(asked.id, ben.token)).body).toMatchObject({ status: "declined" });
  expect(await requestsPerMinute()).toBe(3);
});

test("what is given for a week goes back by itself, also while the gateway was stopped", async () => {
  const { body: asked } = await askForMore();
  expect((await approve(asked.id, ada.token, 7)).body.ends_at).not.toBeNull();
  gateway.pass(7 * DAY_MS - HOUR_MS);
  expect(await requestsPerMinute()).toBe(10);
  await gateway.restart(async () => gateway.pass(HOUR_MS));
  expect(await requestsPerMinute()).toBe(3);
  expect(await find(asked.id)).toMatchObject({ status: "approved", left_alone: [] });
  expect((await find(asked.id)).ended_at).not.toBeNull();
  const { data } = await gateway.admin<{ data: { type: string; actor: unknown }[] }>(
    "GET",
    "/organization/audit_logs",
  );
  expect(data[0]).toMatchObject({ type: "access_request.ended", actor: null });
});

test("what somebody has changed since is left alone, by name", async () => {
  const { body: asked } = await ask(
    "POST",
    "/access_requests",
    {
      project_id: gateway.projectId,
      model: "sandbox-echo",
      limits: { max_requests_per_1_minute: 10, max_tokens_per_1_minute: 2_000_000 },
    },
    ben.token,
  );
  await approve(asked.id, ada.token, 7);
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 25 });
  gateway.pass(7 * DAY_MS);
  await until("it has ended", async () => (await find(asked.id)).ended_at !== null);
  expect(await find(asked.id)).toMatchObject({ left_alone: ["max_requests_per_1_minute"] });
  expect(await requestsPerMinute()).toBe(25);
  const path = `/organization/projects/${gateway.projectId}/rate_limits/sandbox-echo`;
  expect(await gateway.admin("GET", path)).toMatchObject({ max_tokens_per_1_minute: 1_000_000 });
});

test("two raises for a time, one upon the other, end at the limit before both", async () => {
  const first = await askForMore(10);
  await approve(first.body.id, ada.token, 7);
  const second = await askForMore(20);
  await approve(second.body.id, ada.token, 14);
  gateway.pass(7 * DAY_MS);
  await until("the first has ended", async () => (await find(first.body.id)).ended_at !== null);
  expect(await requestsPerMinute()).toBe(20);
  gateway.pass(7 * DAY_MS);
  await until("the second has ended", async () => (await find(second.body.id)).ended_at !== null);
  expect(await requestsPerMinute()).toBe(3);
});

test("a permission is given by the smallest role with it, and taken back after its time", async () => {
  expect((await ask("GET", "/balance", undefined, ben.token)).status).toBe(403);
  const { body: asked } = await askForPermission("api.balance.read");
  expect(asked).toMatchObject({
    kind: "permission",
    permission: "api.balance.read",
    role: { name: "Finance" },
  });
  const invited = await joinMember(gateway, "carl@example.com", { role: "reader" });
  expect((await approve(asked.id, invited.token)).status).toBe(404);
  await approve(asked.id, ada.token, 7);
  expect((await ask("GET", "/balance", undefined, ben.token)).status).toBe(200);
  expect((await askForPermission("api.balance.read")).body.error).toMatchObject({ code: "already_exists" });
  gateway.pass(7 * DAY_MS);
  await until("it has ended", async () => (await find(asked.id)).ended_at !== null);
  const roles = await gateway.admin<{ data: { id: string }[] }>("GET", `/organization/users/${ben.id}/roles`);
  expect(roles.data.map(({ id }) => id)).toEqual(["role_prompt_tester"]);
});

test("nobody gives by approval what they don't hold themselves", async () => {
  const admin = await joinMember(gateway, "adam@example.com", { role: "admin" });
  const { body: asked } = await askForPermission("api.payments.write");
  expect((await approve(asked.id, admin.token)).body.error).toMatchObject({
    code: "exceeds_own_permissions",
  });
  expect((await approve(asked.id, ada.token)).body).toMatchObject({ status: "approved" });
});

test("an owner of one project decides what is asked for there, and nothing elsewhere", async () => {
  const olga = await joinMember(gateway, "olga@example.com", { role: "prompt_tester" });
  const member = { user_id: olga.id, role: "owner" };
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/users`, member);
  const inProject = await askForPermission("api.usage.read", gateway.projectId);
  const everywhere = await askForPermission("api.balance.read");
  expect((await list("?of=others", olga.token)).map(({ id }) => id)).toEqual([String(inProject.body.id)]);
  expect((await approve(everywhere.body.id, olga.token)).status).toBe(404);
  expect((await approve(inProject.body.id, olga.token)).body).toMatchObject({ status: "approved" });
});

const spendPath = (projectId: string | null) =>
  projectId === null ? "/organization/spend_limit" : `/organization/projects/${projectId}/spend_limit`;
const setSpendLimit = (projectId: string | null, threshold_amount: number) =>
  gateway.admin("POST", spendPath(projectId), { currency: "USD", interval: "month", threshold_amount });
const spendLimit = async (projectId: string | null) =>
  (await gateway.admin<Record<string, number>>("GET", spendPath(projectId))).threshold_amount;
const askForSpend = (project_id: string | null, threshold_amount?: number, key = ben.token) =>
  ask("POST", "/access_requests", { project_id, spend_limit: { threshold_amount } }, key);
const askForModel = (key = ben.token) =>
  ask("POST", "/access_requests", { project_id: gateway.projectId, model: "sandbox-echo" }, key);
/** The models that the project may call. */
const mayCall = async () => {
  const reply = await fetch(`${gateway.baseUrl}/models`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  const { data } = (await reply.json()) as { data: { id: string }[] };
  return data.some(({ id }) => id === "sandbox-echo");
};

test("who may not read a spend limit asks for about twice of it, without learning what it is", async () => {
  await setSpendLimit(gateway.projectId, 50_000);
  expect((await askForSpend(gateway.projectId, 60_000)).body.error).toMatchObject({
    permission: "api.spend_limits.read",
  });
  const { body: asked } = await askForSpend(gateway.projectId);
  expect(asked).toMatchObject({ kind: "spend_limit", spend_limit: null, spend_limit_now: null });
  expect((await askForSpend(gateway.projectId)).body.error).toMatchObject({ code: "already_exists" });
  const [seen] = await list("?of=others&status=pending", ada.token);
  expect(seen).toMatchObject({
    spend_limit: { threshold_amount: 100_000, currency: "USD" },
    spend_limit_now: { threshold_amount: 50_000, currency: "USD" },
  });
  await approve(asked.id, ada.token, 7);
  expect(await spendLimit(gateway.projectId)).toBe(100_000);
  gateway.pass(7 * DAY_MS);
  await until("it has gone back", async () => (await spendLimit(gateway.projectId)) === 50_000);
});

test("two raises of the organization's spend limit end at the one before both, and one set since is left", async () => {
  await setSpendLimit(null, 5_000);
  const first = await askForSpend(null, 6_000, ada.token);
  expect((await approve(first.body.id, ben.token)).status).toBe(404);
  await approve(first.body.id, ada.token, 7);
  const second = await askForSpend(null, 9_000, ada.token);
  await approve(second.body.id, ada.token, 14);
  gateway.pass(7 * DAY_MS);
  await until("the first has ended", async () => (await find(first.body.id)).ended_at !== null);
  expect(await spendLimit(null)).toBe(9_000);
  gateway.pass(7 * DAY_MS);
  await until("the second has gone back", async () => (await spendLimit(null)) === 5_000);
});

test("a spend limit that isn't more, or isn't set, is refused, also at its approval", async () => {
  expect((await askForSpend(null)).body.error).toMatchObject({ code: "already_exists" });
  await setSpendLimit(null, 5_000);
  expect((await askForSpend(null, 5_000, ada.token)).body.error).toMatchObject({
    param: "spend_limit.threshold_amount",
  });
  const { body: asked } = await askForSpend(null);
  await setSpendLimit(null, 90_000);
  expect((await approve(asked.id)).status).toBe(409);
  expect(await spendLimit(null)).toBe(90_000);
  await decline(asked.id);
  const highest = 900_000_000_000;
  await setSpendLimit(null, highest - 1);
  const { body: last } = await askForSpend(null);
  await approve(last.id);
  expect(await spendLimit(null)).toBe(highest);
  expect((await askForSpend(null)).status).toBe(409);
});

test("a raise never lowers a limit that somebody has raised in the meantime", async () => {
  const { body: asked } = await askForMore(10);
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 50 });
  expect((await approve(asked.id)).status).toBe(409);
  expect(await requestsPerMinute()).toBe(50);
});

for (const mode of ["allow_list", "deny_list"] as const)
  test(`a model that the project's ${mode} keeps from it is allowed for a week`, async () => {
    const path = `/organization/projects/${gateway.projectId}/model_permissions`;
    expect((await askForModel()).body.error).toMatchObject({ code: "already_exists" });
    const model_ids = mode === "allow_list" ? [] : ["sandbox-echo"];
    await gateway.admin("POST", path, { mode, model_ids });
    expect(await mayCall()).toBe(false);
    const { body: asked } = await askForModel();
    expect(asked).toMatchObject({ kind: "model", model: "sandbox-echo", limits: null, may_decide: false });
    expect((await approve(asked.id, ada.token, 7)).body).toMatchObject({ status: "approved" });
    expect(await mayCall()).toBe(true);
    gateway.pass(7 * DAY_MS);
    await until("it has gone back", async () => !(await mayCall()));
    expect(await find(asked.id)).toMatchObject({ left_alone: [] });
    expect(await gateway.admin("GET", path)).toMatchObject({ mode, model_ids });
  });

test("a model that is open to other projects only is opened by who may change models, and left where changed", async () => {
  const draft = {
    id: "closed",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
    projects: [],
  };
  await gateway.admin("POST", "/organization/models", draft);
  const permissions = ["api.model_permissions.read", "api.model_permissions.write"];
  const role = await gateway.admin<{ id: string }>("POST", "/organization/roles", {
    role_name: "Chooses models",
    permissions,
  });
  const olga = await joinMember(gateway, "olga@example.com", { role: role.id });
  const body = { project_id: gateway.projectId, model: "closed" };
  const { body: asked } = await ask("POST", "/access_requests", body, ben.token);
  expect((await approve(asked.id, olga.token)).body.error).toMatchObject({ permission: "api.models.write" });
  await approve(asked.id, ada.token, 7);
  const model = () => gateway.admin<{ projects: string[] }>("GET", "/organization/models/closed");
  expect((await model()).projects).toEqual([gateway.projectId]);
  await gateway.admin("POST", "/organization/models/closed", { projects: null });
  gateway.pass(7 * DAY_MS);
  await until("it has ended", async () => (await find(asked.id)).ended_at !== null);
  expect(await find(asked.id)).toMatchObject({ left_alone: ["closed"] });
  expect((await model()).projects).toBeNull();
});

test("what isn't more, is asked for already or too often is refused with the field", async () => {
  expect((await askForMore(3)).body.error).toMatchObject({
    code: "invalid_value",
    param: "limits.max_requests_per_1_minute",
  });
  await askForMore();
  expect((await askForMore(11)).body.error).toMatchObject({ code: "already_exists" });
  expect((await askForPermission("api.usage.read", "proj_none")).status).toBe(404);
  expect((await ask("POST", "/access_requests", {}, ben.token)).body.error).toMatchObject({ param: "model" });
  const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/models");
  const answers = [];
  for (const { id: model } of data.slice(0, 30)) {
    const limits = { max_requests_per_1_minute: 5_000 };
    const draft = { project_id: gateway.projectId, model, limits };
    answers.push((await ask("POST", "/access_requests", draft, ben.token)).status);
  }
  const waiting = await list("?of=own&status=pending", ben.token);
  expect(waiting.length).toBe(Math.min(20, data.length));
});
