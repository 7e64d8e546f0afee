import { expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let projects: OpenAI["admin"]["organization"]["projects"];

serveForAll((served) => {
  gateway = served;
  projects = createClient(gateway.adminKey).admin.organization.projects;
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

function ask(client: OpenAI) {
  return client.chat.completions.create({
    model: "sandbox-echo",
    messages: [{ role: "user", content: "hello" }],
  });
}

test("the official SDK creates, lists and reads projects", async () => {
  gateway.pass(1);
  const created = await projects.create({ name: "Research" });
  expect(created).toMatchObject({ object: "organization.project", name: "Research", status: "active" });
  expect(await projects.retrieve(created.id)).toEqual(created);
  const names = (await collectAll(projects.list({ limit: 1 }))).map(({ name }) => name);
  expect(names).toEqual(["Default project", "Research"]);
  expect(await catchRefusal(projects.retrieve("proj_none"))).toMatchObject({
    status: 404,
    param: "project_id",
  });
  expect(await catchRefusal(projects.create({ name: "a\nb" }))).toMatchObject({ status: 400, param: "name" });
  const own = createClient(gateway.key).admin.organization.projects;
  expect((await collectAll(own.list())).map(({ id }) => id)).toEqual([gateway.projectId]);
});

test("a project key sees nothing of another project", async () => {
  const other = await projects.create({ name: "Other" });
  const member = createClient(gateway.key).admin.organization.projects;
  const refused = await catchRefusal(member.rateLimits.listRateLimits(other.id));
  expect(refused).toMatchObject({ status: 404, type: "not_found_error", param: "project_id" });
  expect((await collectAll(member.rateLimits.listRateLimits(gateway.projectId))).length).toBeGreaterThan(0);
});

test("a project is renamed, and invalid names are refused", async () => {
  const created = await projects.create({ name: "Draft" });
  expect<object>(await projects.update(created.id, { name: "Final" })).toEqual({
    ...created,
    name: "Final",
    version: expect.any(String),
  });
  expect<object>(await projects.retrieve(created.id)).toEqual({
    ...created,
    name: "Final",
    version: expect.any(String),
  });
  const cases: [PromiseLike<unknown>, object][] = [
    [projects.update(created.id, { name: "" }), { status: 400, param: "name" }],
    [projects.update(created.id, { geography: "EU" }), { status: 400, param: "geography" }],
    [projects.update("proj_none", { name: "x" }), { status: 404, param: "project_id" }],
    [
      createClient("gk_admin_no").admin.organization.projects.update(created.id, { name: "x" }),
      { status: 401 },
    ],
    [
      createClient(gateway.key).admin.organization.projects.update(gateway.projectId, { name: "x" }),
      { status: 403 },
    ],
  ];
  await expectRefusals(cases);
});

test("an archived project's keys stop at once, its calls and changes are refused, and it stays in the books", async () => {
  const { id } = await projects.create({ name: "Short-lived" });
  const path = `/organization/projects/${id}/api_keys`;
  const { value, id: keyId } = await gateway.admin<{ value: string; id: string }>("POST", path, {
    name: "Its",
  });
  const answered = await ask(createClient(value)).withResponse();
  gateway.pass(1_000);

  const archived = await projects.archive(id);
  expect(archived).toMatchObject({ id, status: "archived" });
  expect(archived.archived_at).toBeGreaterThan(archived.created_at);
  expect(await projects.archive(id)).toEqual(archived);
  expect(await projects.retrieve(id)).toEqual(archived);
  expect(await catchRefusal(ask(createClient(value)))).toMatchObject({
    status: 401,
    code: "invalid_api_key",
  });
  expect((await ask(createClient(gateway.key))).choices.length).toBe(1);

  const named = await send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key: gateway.adminKey,
    headers: { "openai-project": id },
    body: { model: "sandbox-echo", messages: [{ role: "user", content: "hello" }] },
  });
  expect(named).toMatchObject({ status: 400, error: { code: "project_archived", param: "OpenAI-Project" } });
  const changes: PromiseLike<unknown>[] = [
    projects.update(id, { name: "Back" }),
    projects.rateLimits.updateRateLimit("sandbox-echo", { project_id: id, max_requests_per_1_minute: 1 }),
  ];
  for (const change of changes) {
    expect(await catchRefusal(change)).toMatchObject({
      status: 409,
      type: "conflict_error",
      code: "project_archived",
      param: "project_id",
    });
  }
  const made = await send(`${gateway.baseUrl}${path}`, {
    method: "POST",
    key: gateway.adminKey,
    body: { name: "New" },
  });
  expect(made).toMatchObject({ status: 409, error: { code: "project_archived" } });
  expect(await collectAll(projects.apiKeys.list(id))).toEqual([]);

  const listNames = async (query?: { include_archived: boolean }) =>
    (await collectAll(projects.list({ ...query, limit: 1 }))).map(({ name }) => name);
  expect(await listNames()).not.toContain("Short-lived");
  expect(await listNames({ include_archived: false })).not.toContain("Short-lived");
  expect(await listNames({ include_archived: true })).toContain("Short-lived");
  const requestId = answered.response.headers.get("x-request-id");
  const ledger = await gateway.admin<{ data: object[] }>(
    "GET",
    `/organization/ledger?request_id=${requestId}`,
  );
  expect(ledger.data).toMatchObject([{ project_id: id, key_id: keyId }]);

  await gateway.restart();
  expect(await projects.retrieve(id)).toEqual(archived);
  expect(await catchRefusal(ask(createClient(value)))).toMatchObject({ status: 401 });
});

test("archiving without the permission, and archiving an unknown project, change nothing", async () => {
  const member = createClient(gateway.key).admin.organization.projects;
  const cases: [PromiseLike<unknown>, object][] = [
    [projects.archive("proj_none"), { status: 404, param: "project_id" }],
    [member.archive(gateway.projectId), { status: 403, code: "missing_permission" }],
    [createClient("gk_admin_no").admin.organization.projects.archive(gateway.projectId), { status: 401 }],
    [collectAll(projects.list(undefined, { query: { include_archived: "yes" } })), { status: 400 }],
  ];
  await expectRefusals(cases);
  expect(await projects.retrieve(gateway.projectId)).toMatchObject({ status: "active" });
});

test("two active projects can't have the same name, also if it only looks the same", async () => {
  const { admin } = gateway;
  const create = (name: string) => admin<{ id: string }>("POST", "/organization/projects", { name });
  const { id } = await create("Twin");
  expect(create(" tWiN ")).rejects.toThrow('There is a project \\"Twin\\" already');
  const other = await create("Twin 2");
  expect(admin("POST", `/organization/projects/${other.id}`, { name: "TWIN" })).rejects.toThrow("409");
  await admin("POST", `/organization/projects/${id}`, { name: "twin" });
  await admin("POST", `/organization/projects/${id}/archive`);
  await create("Twin");
});
