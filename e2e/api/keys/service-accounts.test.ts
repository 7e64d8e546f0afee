import { expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let serviceAccounts: OpenAI["admin"]["organization"]["projects"]["serviceAccounts"];
let apiKeys: OpenAI["admin"]["organization"]["projects"]["apiKeys"];
let project_id: string;

serveForAll((served) => {
  gateway = served;
  ({ serviceAccounts, apiKeys } = createClient(gateway.adminKey).admin.organization.projects);
  project_id = gateway.projectId;
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

function ask(key: string) {
  const messages = [{ role: "user" as const, content: "hello" }];
  return createClient(key).chat.completions.create({ model: "sandbox-echo", messages });
}

test("a service account comes with a key that works, is listed as its owner, and leaves with it", async () => {
  const { api_key, ...account } = await serviceAccounts.create(project_id, { name: "Nightly report" });
  expect<object>(account).toEqual({
    object: "organization.project.service_account",
    id: account.id,
    name: "Nightly report",
    role: "member",
    created_at: account.created_at,
    version: expect.any(String),
  });
  expect(api_key).toMatchObject({
    object: "organization.project.service_account.api_key",
    name: "Secret Key",
    expires_at: null,
  });
  const value = api_key?.value ?? "";
  const keyId = api_key?.id ?? "";
  expect(value).toMatch(/^gk_live_/);
  expect(await serviceAccounts.retrieve(account.id, { project_id })).toEqual({ ...account });
  gateway.pass(1);
  await serviceAccounts.create(project_id, { name: "Second" });
  const names = (await collectAll(serviceAccounts.list(project_id, { limit: 1 }))).map(({ name }) => name);
  expect(names).toEqual(["Nightly report", "Second"]);

  const answered = await ask(value).withResponse();
  const retrieve = () => apiKeys.retrieve(keyId, { project_id });
  await until("its use is stored", async () => (await retrieve()).last_used_at !== null);
  expect<object>(await retrieve()).toEqual({
    object: "organization.project.api_key",
    id: keyId,
    name: "Secret Key",
    redacted_value: `gk_live_…${value.slice(-4)}`,
    created_at: account.created_at,
    last_used_at: account.created_at,
    expires_at: null,
    models: null,
    endpoints: null,
    created_by: { type: "admin_api_key", id: expect.any(String), name: expect.any(String) },
    rotated_from: null,
    owner: {
      type: "service_account",
      service_account: {
        id: account.id,
        name: "Nightly report",
        role: "member",
        created_at: account.created_at,
      },
    },
    owner_project_access: "active",
    version: expect.any(String),
  });
  expect(await collectAll(apiKeys.list(project_id, { owner_project_access: "inactive" }))).toEqual([]);
  expect((await collectAll(apiKeys.list(project_id, { owner_project_access: "active" }))).length).toBe(3);

  expect(await serviceAccounts.delete(account.id, { project_id })).toEqual({
    object: "organization.project.service_account.deleted",
    id: account.id,
    deleted: true,
  });
  expect(await catchRefusal(ask(value))).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await catchRefusal(apiKeys.retrieve(keyId, { project_id }))).toMatchObject({ status: 404 });
  expect(await catchRefusal(serviceAccounts.retrieve(account.id, { project_id }))).toMatchObject({
    status: 404,
  });
  expect((await ask(gateway.key)).choices.length).toBe(1);
  const requestId = answered.response.headers.get("x-request-id");
  const ledger = await gateway.admin<{ data: object[] }>(
    "GET",
    `/organization/ledger?request_id=${requestId}`,
  );
  expect(ledger.data).toMatchObject([{ kind: "charge", key_id: keyId }]);
  await gateway.restart();
  expect(await catchRefusal(ask(value))).toMatchObject({ status: 401 });
});

test("an account's role is what its keys may do, from the next call on and after a restart", async () => {
  const bare = await serviceAccounts.create(project_id, { name: "Bare", create_service_account_only: true });
  expect(bare).toMatchObject({ role: "none", api_key: null });
  const made = await serviceAccounts.apiKeys.create(bare.id, { project_id, name: "Later" });
  expect(made).toMatchObject({ object: "organization.project.service_account.api_key", name: "Later" });
  expect(await catchRefusal(ask(made.value))).toMatchObject({ status: 403, code: "missing_permission" });

  expect(await serviceAccounts.update(bare.id, { project_id, role: "member" })).toMatchObject({
    role: "member",
    name: "Bare",
  });
  expect((await ask(made.value)).choices.length).toBe(1);
  const own = createClient(made.value).admin.organization.projects;
  expect(await catchRefusal(own.serviceAccounts.list(project_id))).toMatchObject({ status: 403 });
  await serviceAccounts.update(bare.id, { project_id, role: "owner", name: "Lead" });
  expect((await collectAll(own.serviceAccounts.list(project_id))).map(({ name }) => name)).toContain("Lead");
  await gateway.restart();
  expect((await collectAll(own.serviceAccounts.list(project_id))).map(({ name }) => name)).toContain("Lead");
});

test("a key that expires works until then, and no second longer", async () => {
  const { api_key } = await serviceAccounts.create(project_id, { name: "Visitor", expires_in_seconds: 60 });
  expect((api_key?.expires_at ?? 0) - (api_key?.created_at ?? 0)).toBe(60);
  const value = api_key?.value ?? "";
  gateway.pass(59_999);
  expect((await ask(value)).choices.length).toBe(1);
  gateway.pass(1);
  expect(await catchRefusal(ask(value))).toMatchObject({ status: 401 });
  const listed = await apiKeys.retrieve(api_key?.id ?? "", { project_id });
  expect(listed.expires_at).toBe(api_key?.expires_at ?? null);
  await gateway.restart();
  expect(await catchRefusal(ask(value))).toMatchObject({ status: 401 });
});

test("refuses invalid service accounts with the reason", async () => {
  const { id } = await serviceAccounts.create(project_id, { name: "Here" });
  const { projects } = createClient(gateway.adminKey).admin.organization;
  const other = await projects.create({ name: "Other" });
  const archived = await projects.create({ name: "Archived" });
  await serviceAccounts.create(archived.id, { name: "Gone" });
  await projects.archive(archived.id);
  expect(await collectAll(serviceAccounts.list(archived.id))).toEqual([]);
  const member = createClient(gateway.key).admin.organization.projects.serviceAccounts;
  const nobody = createClient("gk_live_no").admin.organization.projects.serviceAccounts;
  const elsewhere = { project_id: other.id };
  const cases: [PromiseLike<unknown>, object][] = [
    [serviceAccounts.create(project_id, { name: " " }), { status: 400, param: "name" }],
    [
      serviceAccounts.create(project_id, { name: "x", expires_in_seconds: 0 }),
      { status: 400, param: "expires_in_seconds" },
    ],
    [
      serviceAccounts.create(project_id, {
        name: "x",
        create_service_account_only: true,
        expires_in_seconds: 9,
      }),
      { status: 400, param: "expires_in_seconds" },
    ],
    [
      serviceAccounts.apiKeys.create(id, { project_id, scopes: ["api.all.read"] }),
      { status: 400, param: "scopes" },
    ],
    [serviceAccounts.list(project_id, { after: "svc_acct_none" }), { status: 400, param: "after" }],
    [nobody.list(project_id), { status: 401 }],
    [member.create(project_id, { name: "x" }), { status: 403, code: "missing_permission" }],
    [serviceAccounts.create("proj_none", { name: "x" }), { status: 404, param: "project_id" }],
    [serviceAccounts.create(archived.id, { name: "x" }), { status: 409, code: "project_archived" }],
    [serviceAccounts.retrieve(id, elsewhere), { status: 404, param: "service_account_id" }],
    [serviceAccounts.update(id, { ...elsewhere, name: "x" }), { status: 404 }],
    [serviceAccounts.delete(id, elsewhere), { status: 404 }],
    [serviceAccounts.apiKeys.create(id, elsewhere), { status: 404 }],
    [serviceAccounts.delete("svc_acct_none", { project_id }), { status: 404, param: "service_account_id" }],
  ];
  await expectRefusals(cases);
  expect(await serviceAccounts.retrieve(id, { project_id })).toMatchObject({ name: "Here" });
});

test("refuses a key, an account or a renaming of an account that may do more than its creator", async () => {
  const { admin } = createClient(gateway.adminKey);
  const writes = ["api.service_accounts.write", "api.project_api_keys.write", "api.rate_limits.read"];
  const narrow = await admin.organization.roles.create({ role_name: "Narrow", permissions: writes });
  const draft = { name: "Narrow", role: narrow.id };
  const { value } = await admin.organization.adminAPIKeys.create(draft);
  const own = createClient(value).admin.organization.projects.serviceAccounts;
  const excess = { status: 403, code: "exceeds_own_permissions" };
  expect(await catchRefusal(own.create(project_id, { name: "x" }))).toMatchObject(excess);
  const bare = await own.create(project_id, { name: "Bare", create_service_account_only: true });
  expect(await catchRefusal(own.update(bare.id, { project_id, role: "member" }))).toMatchObject(excess);
  const member = await serviceAccounts.create(project_id, { name: "Member" });
  expect(await catchRefusal(own.apiKeys.create(member.id, { project_id }))).toMatchObject(excess);
  expect(await catchRefusal(own.update(member.id, { project_id, name: "Taken" }))).toMatchObject(excess);
  const path = `${gateway.baseUrl}/organization/projects/${project_id}/api_keys`;
  const key = await send(path, { method: "POST", key: value, body: { name: "x" } });
  expect(key).toMatchObject({ status: 403, error: { code: "exceeds_own_permissions" } });
  expect(await own.update(bare.id, { project_id, name: "Renamed" })).toMatchObject({ name: "Renamed" });
});
