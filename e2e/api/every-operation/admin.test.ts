import { expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let client: OpenAI;

serveForAll((served) => {
  gateway = served;
  client = createClient(gateway.adminKey);
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

test("the official SDK creates, lists, reads, changes and deletes a role", async () => {
  const { roles } = client.admin.organization;
  const created = await roles.create({
    role_name: "Support",
    description: "Answers questions.",
    permissions: ["api.models.read", "api.projects.read", "api.models.read"],
  });
  expect<object>(created).toEqual({
    object: "role",
    id: created.id,
    name: "Support",
    description: "Answers questions.",
    permissions: ["api.projects.read", "api.models.read"],
    resource_type: "api.organization",
    predefined_role: false,
    version: expect.any(String),
  });
  expect(created.id).toMatch(/^role_/);
  expect(await roles.retrieve(created.id)).toEqual(created);
  const changed = await roles.update(created.id, { role_name: "Help desk", description: null });
  expect<object>(changed).toEqual({
    ...created,
    name: "Help desk",
    description: null,
    version: expect.any(String),
  });
  const listed = await collectAll(roles.list({ limit: 2 }));
  expect(listed.map(({ name }) => name)).toEqual([
    "Owner",
    "Admin",
    "Finance",
    "Prompt tester",
    "Reader",
    "Help desk",
  ]);
  expect(listed.filter((role) => role.predefined_role).length).toBe(5);
  expect(await roles.delete(created.id)).toEqual({ object: "role.deleted", id: created.id, deleted: true });
  expect((await catchRefusal(roles.retrieve(created.id))).status).toBe(404);
});

test("refuses an invalid role with the correction", async () => {
  const { roles } = client.admin.organization;
  const draft = { role_name: "Auditor", permissions: ["api.ledger.read"] };
  await roles.create(draft);
  const cases: [PromiseLike<unknown>, object][] = [
    [
      roles.create({ ...draft, role_name: "AUDITOR" }),
      { status: 409, type: "conflict_error", code: "already_exists", param: "role_name" },
    ],
    [roles.create({ ...draft, role_name: "reader" }), { status: 409, param: "role_name" }],
    [roles.create({ ...draft, role_name: "Own\u200ber" }), { status: 409, param: "role_name" }],
    [
      roles.create({ role_name: "Other", permissions: ["api.ledger.raed"] }),
      { status: 400, code: "unknown_permission", param: "permissions.0" },
    ],
    [roles.create({ role_name: "Other", permissions: [] }), { status: 400, param: "permissions" }],
    [
      roles.update("role_owner", { role_name: "Boss" }),
      { status: 403, type: "permission_error", code: "predefined_role" },
    ],
    [roles.delete("role_reader"), { status: 403, code: "predefined_role" }],
    [roles.delete("role_none"), { status: 404, type: "not_found_error", param: "role_id" }],
    [roles.update("role_project_owner", { role_name: "Boss" }), { status: 404 }],
    [roles.list({ after: "role_none" }), { status: 400, param: "after" }],
    [
      createClient("gk_admin_wrong").admin.organization.roles.list(),
      { status: 401, code: "invalid_api_key" },
    ],
    [createClient(gateway.key).admin.organization.roles.list(), { status: 403, code: "missing_permission" }],
  ];
  await expectRefusals(cases);
  const misspelt = await catchRefusal(roles.create({ role_name: "Other", permissions: ["api.ledger.raed"] }));
  expect(misspelt.message).toContain("did you mean api.ledger.read?");
});

test("the official SDK creates, lists and reads projects", async () => {
  const { projects } = client.admin.organization;
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

test("the official SDK lists and changes rate limits, which hold from the next call on", async () => {
  const { projects } = client.admin.organization;
  const { rateLimits } = projects;
  const listed = await collectAll(rateLimits.listRateLimits(gateway.projectId, { limit: 3 }));
  expect(listed[0]).toMatchObject({
    object: "project.rate_limit",
    id: "rl_sandbox-echo",
    model: "sandbox-echo",
    max_requests_per_1_minute: 600,
    max_images_per_1_minute: null,
  });
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  const [first, second, third] = listed.map(({ id }) => id);
  const page = async (query: { after?: string; before?: string; limit?: number }) =>
    (await rateLimits.listRateLimits(gateway.projectId, query)).data.map(({ id }) => id);
  expect(await page({ after: first ?? "", limit: 1 })).toEqual([second ?? ""]);
  expect(await page({ before: third ?? "", limit: 1 })).toEqual([second ?? ""]);
  const save = (id: string, change: object) =>
    rateLimits.updateRateLimit(id, { project_id: gateway.projectId, ...change });
  await save("rl_sandbox-slow", { max_requests_per_1_day: 7 });
  expect(await save("sandbox-slow", { max_requests_per_1_minute: 0 })).toMatchObject({
    id: "rl_sandbox-slow",
    max_requests_per_1_minute: 0,
    max_requests_per_1_day: 7,
    max_tokens_per_1_minute: 1_000_000,
  });
  const asked = createClient(gateway.key).chat.completions.create({
    model: "sandbox-slow",
    messages: [{ role: "user", content: "x" }],
  });
  expect(await catchRefusal(asked)).toMatchObject({ status: 429, code: "max_requests_per_1_minute" });
  expect(await save("rl_sandbox-slow", { max_requests_per_1_day: null })).toMatchObject({
    max_requests_per_1_day: null,
    max_requests_per_1_minute: 0,
  });
  const cases: [PromiseLike<unknown>, object][] = [
    [save("rl_none", { max_requests_per_1_minute: 1 }), { status: 404, param: "rate_limit_id" }],
    [
      save("rl_sandbox-slow", { max_requests_per_1_minute: null }),
      { status: 400, param: "max_requests_per_1_minute" },
    ],
    [
      save("rl_sandbox-slow", { max_tokens_per_1_minute: -1 }),
      { status: 400, param: "max_tokens_per_1_minute" },
    ],
    [
      save("rl_sandbox-slow", { max_images_per_1_minute: 1.5 }),
      { status: 400, param: "max_images_per_1_minute" },
    ],
    [save("rl_sandbox-slow", { max_images_per_1_minute: 2 ** 53 }), { status: 400 }],
    [save("rl_sandbox-slow", { model: "x" }), { status: 400, code: "unknown_field", param: "model" }],
    [rateLimits.listRateLimits("proj_none"), { status: 404, param: "project_id" }],
    [
      createClient(gateway.key).admin.organization.projects.rateLimits.updateRateLimit("sandbox-slow", {
        project_id: gateway.projectId,
        max_requests_per_1_minute: 9,
      }),
      { status: 403 },
    ],
  ];
  await expectRefusals(cases);
});

test("a key the official SDK deletes stops at once, and its project's others go on", async () => {
  const { apiKeys } = client.admin.organization.projects;
  const path = `/organization/projects/${gateway.projectId}/api_keys`;
  const made = await gateway.admin<{ id: string; value: string }>("POST", path, { name: "Short-lived" });
  const models = () => createClient(made.value).models.list();
  expect((await models()).data.length).toBeGreaterThan(0);
  const project_id = gateway.projectId;
  const listed = await collectAll(apiKeys.list(project_id, { limit: 1 }));
  expect(listed.map(({ name }) => name).toSorted()).toEqual(["Short-lived", "Test"]);
  expect(JSON.stringify(listed)).not.toContain(made.value);
  expect(await apiKeys.retrieve(made.id, { project_id })).toMatchObject({ id: made.id });
  const other = await client.admin.organization.projects.create({ name: "Elsewhere" });
  const elsewhere = { project_id: other.id };
  await expectRefusals([
    [apiKeys.retrieve(made.id, elsewhere), { status: 404, param: "key_id" }],
    [apiKeys.delete(made.id, elsewhere), { status: 404, param: "key_id" }],
    [apiKeys.retrieve("key_none", { project_id }), { status: 404, param: "key_id" }],
    [apiKeys.list("proj_none"), { status: 404, param: "project_id" }],
    [apiKeys.list(project_id, { limit: 0 }), { status: 400, param: "limit" }],
    [createClient("gk_live_no").admin.organization.projects.apiKeys.list(project_id), { status: 401 }],
    [createClient(made.value).admin.organization.projects.apiKeys.list(project_id), { status: 403 }],
  ]);
  expect(await apiKeys.delete(made.id, { project_id })).toMatchObject({ deleted: true });
  expect(await catchRefusal(models())).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await catchRefusal(apiKeys.delete(made.id, { project_id }))).toMatchObject({ status: 404 });
  expect((await createClient(gateway.key).models.list()).data.length).toBeGreaterThan(0);
});

test("a project key sees nothing of another project", async () => {
  const other = await client.admin.organization.projects.create({ name: "Other" });
  const member = createClient(gateway.key).admin.organization.projects;
  const refused = await catchRefusal(member.rateLimits.listRateLimits(other.id));
  expect(refused).toMatchObject({ status: 404, type: "not_found_error", param: "project_id" });
  expect((await collectAll(member.rateLimits.listRateLimits(gateway.projectId))).length).toBeGreaterThan(0);
});

test("lists models as OpenAI does, and refuses an unknown one", async () => {
  const listed = await collectAll(client.models.list());
  expect(listed.map(({ id }) => id)).toContain("sandbox-echo");
  const { created } = await client.models.retrieve("sandbox-echo");
  expect(await client.models.retrieve("sandbox-echo")).toEqual({
    object: "model",
    id: "sandbox-echo",
    created,
    owned_by: "sandbox",
  });
  expect(await catchRefusal(client.models.retrieve("gpt-none"))).toMatchObject({
    status: 404,
    code: "model_not_found",
  });
});
