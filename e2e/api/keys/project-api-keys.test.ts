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
let organization: OpenAI["admin"]["organization"];
let project_id: string;

serveForAll((served) => {
  gateway = served;
  organization = createClient(gateway.adminKey).admin.organization;
  project_id = gateway.projectId;
});

const createClient = (key: string) => officialClient(gateway.baseUrl, key);

function ask(key: string) {
  const messages = [{ role: "user" as const, content: "hello" }];
  return createClient(key).chat.completions.create({ model: "sandbox-echo", messages });
}

const create = (draft: object) =>
  gateway.admin<{ id: string; value: string; created_at: number }>(
    "POST",
    `/organization/projects/${project_id}/api_keys`,
    draft,
  );

/** The package's own method, with the one field this gateway adds. */
function rename(id: string, name: string, by = organization) {
  const change = { project_id, name };
  return by.projects.apiKeys.update(id, change);
}

test("a key the official SDK deletes stops at once, and its project's others go on", async () => {
  const { apiKeys } = organization.projects;
  const made = await create({ name: "Short-lived" });
  const models = () => createClient(made.value).models.list();
  expect((await models()).data.length).toBeGreaterThan(0);
  const listed = await collectAll(apiKeys.list(project_id, { limit: 1 }));
  expect(listed.map(({ name }) => name).toSorted()).toEqual(["Short-lived", "Test"]);
  expect(JSON.stringify(listed)).not.toContain(made.value);
  expect(await apiKeys.retrieve(made.id, { project_id })).toMatchObject({ id: made.id });
  const other = await organization.projects.create({ name: "Elsewhere" });
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

test("a key's new name and time are those it has from the next call on, and after a restart", async () => {
  const { apiKeys } = organization.projects;
  const { id, value, created_at } = await create({ name: "Nightly", expires_in_seconds: 60 });
  await ask(value);
  const isUsed = async () => (await apiKeys.retrieve(id, { project_id })).last_used_at !== null;
  await until("its use is stored", isUsed);
  gateway.pass(10_000);
  const changed = await apiKeys.update(id, { project_id, expires_in_seconds: 60 });
  expect(changed).toMatchObject({ id, name: "Nightly", last_used_at: created_at });
  expect(changed.expires_at).toBe(created_at + 70);
  expect(await rename(id, "Daily")).toMatchObject({ name: "Daily", expires_at: created_at + 70 });
  expect(await apiKeys.retrieve(id, { project_id })).toMatchObject({ name: "Daily" });
  gateway.pass(59_999);
  await ask(value);
  await gateway.restart();
  await ask(value);
  await apiKeys.update(id, { project_id, expires_in_seconds: 1 });
  gateway.pass(1_000);
  expect(await catchRefusal(ask(value))).toMatchObject({ status: 401 });
  const late = apiKeys.update(id, { project_id, expires_in_seconds: 60 });
  expect(await catchRefusal(late)).toMatchObject({ status: 409, code: "key_expired", param: "key_id" });
});

test("an update without a field changes nothing, is no event, and answers with the key", async () => {
  const { id } = await create({ name: "Still" });
  const lastEvent = async () => (await organization.auditLogs.list({ limit: 1 })).data[0]?.id;
  const before = await lastEvent();
  expect(await organization.projects.apiKeys.update(id, { project_id })).toMatchObject({
    id,
    name: "Still",
    expires_at: null,
  });
  expect(await lastEvent()).toBe(before);
});

test("a renamed key keeps its service account, whose role still counts for it", async () => {
  const { serviceAccounts } = organization.projects;
  const account = await serviceAccounts.create(project_id, { name: "Robot" });
  const key = account.api_key ?? { id: "", value: "" };
  const owner = { service_account: { id: account.id } };
  expect(await rename(key.id, "Night")).toMatchObject({ name: "Night", owner });
  await serviceAccounts.update(account.id, { project_id, role: "owner" });
  await createClient(key.value).admin.organization.projects.serviceAccounts.list(project_id);
  await serviceAccounts.delete(account.id, { project_id });
  expect(await catchRefusal(ask(key.value))).toMatchObject({ status: 401 });
  expect(await catchRefusal(rename(key.id, "Back"))).toMatchObject({ status: 404, param: "key_id" });
});

test("a stale save of a key is refused", async () => {
  const { id } = await create({ name: "Versions" });
  const path = `${gateway.baseUrl}/organization/projects/${project_id}/api_keys/${id}`;
  const tag = (await send(path, { key: gateway.adminKey })).headers.get("etag") ?? "";
  const save = (name: string) =>
    send(path, {
      method: "POST",
      key: gateway.adminKey,
      body: { name },
      headers: { "if-match": tag },
    });
  expect((await save("One")).status).toBe(200);
  expect(await save("Two")).toMatchObject({ status: 412, error: { code: "stale_version" } });
});

test("invalid fields are refused by name, and no caller can change a key with more permissions than their own", async () => {
  const { projects, roles, adminAPIKeys } = organization;
  const { id } = await create({ name: "Here" });
  const other = await projects.create({ name: "Other" });
  const archived = await projects.create({ name: "Archived" });
  await projects.archive(archived.id);
  const narrow = await roles.create({ role_name: "Narrow", permissions: ["api.project_api_keys.write"] });
  const draft = { name: "Narrow", role: narrow.id };
  const narrowly = createClient((await adminAPIKeys.create(draft)).value).admin.organization;
  const update = (change: object, project = project_id) =>
    projects.apiKeys.update(id, { project_id: project, ...change });
  const scopes = "scopes is not supported by this gateway: leave it out.";
  await expectRefusals([
    [update({ scopes: ["api.all.read"] }), { status: 400, param: "scopes", message: `400 ${scopes}` }],
    [update({ expires_in_seconds: 0 }), { status: 400, param: "expires_in_seconds" }],
    [update({ expires_in_seconds: null }), { status: 400, param: "expires_in_seconds" }],
    [update({ name: " " }), { status: 400, param: "name" }],
    [update({ value: "x" }), { status: 400, param: "value", code: "unknown_field" }],
    [update({ name: "x" }, other.id), { status: 404, param: "key_id" }],
    [update({ name: "x" }, "proj_none"), { status: 404, param: "project_id" }],
    [update({ name: "x" }, archived.id), { status: 409, code: "project_archived" }],
    [rename("key_none", "x"), { status: 404, param: "key_id" }],
    [rename(id, "x", narrowly), { status: 403, code: "exceeds_own_permissions" }],
    [
      rename(id, "x", createClient(gateway.key).admin.organization),
      { status: 403, code: "missing_permission" },
    ],
  ]);
  expect(await projects.apiKeys.retrieve(id, { project_id })).toMatchObject({ name: "Here" });
});
