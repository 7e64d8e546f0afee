import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PermissionExplanation } from "@/lib/contract/operations/people/permissions";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
import { catchRefusal } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";
import { createRoleKey } from "../../support/stored-data/create-role-key";

type Staffed = Awaited<ReturnType<typeof serveStaffedGateway>>;
let { gateway, client, as, members, projectId, other, groupId } = {} as Staffed;
let financeKey = "";

beforeAll(async () => {
  ({ gateway, client, as, members, projectId, other, groupId } = await serveStaffedGateway());
  await gateway.restart(async () => {
    financeKey = await createRoleKey(gateway.dataFolder, "role_finance");
  });
});
afterAll(() => gateway.close());

const PATH = "/organization/permissions/explain";
const explain = (query: Record<string, string>, by = client) =>
  by.get<PermissionExplanation>(PATH, { query });
const preview = (roleId: string, body: object, by = client) =>
  by.post<RolePreview>(`/organization/roles/${roleId}/preview`, { body });

test("every path by which a member holds a permission is named", async () => {
  const { groups, users, projects } = client.admin.organization;
  const [user_id, permission] = [members.ada.id, "api.models.read"];
  await groups.users.create(groupId, { user_id });
  await groups.roles.create(groupId, { role_id: "role_reader" });
  await users.roles.create(user_id, { role_id: "role_prompt_tester" });
  await projects.users.create(projectId, { user_id, role: "viewer" });
  const ada = { type: "user", id: user_id, name: "ada" };
  const direct = {
    role: { id: "role_prompt_tester", name: "Prompt tester" },
    held_by: ada,
    project_id: null,
  };
  const team = { type: "group", id: groupId, name: "Team" };
  const grouped = { role: { id: "role_reader", name: "Reader" }, held_by: team, project_id: null };
  const viewer = { id: "role_project_viewer", name: "Project viewer" };
  expect(await explain({ user_id, permission })).toEqual({
    object: "permission.explanation",
    permission,
    sentence: "See the models, their list prices and model rates.",
    principal: ada,
    project_id: null,
    granted: true,
    paths: [direct, grouped],
    least_role: null,
  } as PermissionExplanation);
  expect(await explain({ user_id, permission, project_id: projectId })).toMatchObject({
    paths: [direct, grouped, { role: viewer, held_by: ada, project_id: projectId }],
  });
});

test("names the smallest role that grants a missing permission", async () => {
  const { roles, users } = client.admin.organization;
  const user_id = members.ben.id;
  const permission = "api.playground.write";
  expect(await explain({ user_id, permission })).toMatchObject({
    granted: false,
    paths: [],
    least_role: {
      role: { id: "role_prompt_tester" },
      project_id: null,
      also_grants: ["api.prompts.read", "api.prompts.write", "api.models.read", "api.projects.read"],
    },
  });
  const sender = await roles.create({ role_name: "Sender", permissions: [permission] });
  expect((await explain({ user_id, permission })).least_role).toEqual({
    role: { id: sender.id, name: "Sender" },
    project_id: null,
    also_grants: [],
  });
  const inProject = { user_id, permission, project_id: projectId };
  expect((await explain(inProject)).least_role).toMatchObject({
    role: { id: "role_project_member" },
    project_id: projectId,
  });
  const payments = { ...inProject, permission: "api.payments.write" };
  expect((await explain(payments)).least_role).toMatchObject({
    role: { id: "role_finance" },
    project_id: null,
  });
  const { least_role } = await explain(inProject);
  const role_id = least_role?.role.id ?? "";
  await client.admin.organization.projects.users.roles.create(user_id, { project_id: projectId, role_id });
  expect((await explain(inProject)).granted).toBe(true);
  expect((await explain({ ...inProject, project_id: other })).granted).toBe(false);
  expect((await explain({ user_id, permission })).granted).toBe(false);
  expect(await users.roles.list(user_id).then((page) => page.data)).toEqual([]);
});

test("a key is explained by its role, and by its project", async () => {
  const { adminAPIKeys, projects } = client.admin.organization;
  const finance = (await adminAPIKeys.list()).data.find(({ name }) => name === "role_finance");
  const principal = { type: "admin_key", id: finance?.id ?? "", name: "role_finance" };
  const key_id = principal.id;
  expect(await explain({ key_id, permission: "api.payments.write" })).toMatchObject({
    principal,
    paths: [{ role: { id: "role_finance" }, held_by: principal, project_id: null }],
  });
  expect(await explain({ key_id, permission: "api.roles.write" })).toMatchObject({
    granted: false,
    least_role: { role: { id: "role_admin" } },
  });
  const [projectKey] = (await projects.apiKeys.list(projectId)).data;
  const asked = { key_id: projectKey?.id ?? "", permission: "api.completions.write" };
  expect(await explain(asked)).toMatchObject({
    principal: { type: "project_key", name: "Test" },
    paths: [{ role: { id: "role_project_member" }, project_id: projectId }],
  });
  expect(await explain({ ...asked, project_id: other })).toMatchObject({ granted: false, least_role: null });
  expect(await explain({ ...asked, permission: "api.rate_limits.write" })).toMatchObject({
    granted: false,
    least_role: { role: { id: "role_project_owner" }, project_id: projectId },
  });
});

test("a key that has expired or is limited to other endpoints is refused, whatever its role", async () => {
  const path = `/organization/projects/${projectId}/api_keys`;
  const makeKey = (more: object) => gateway.admin<{ id: string }>("POST", path, { name: "Limited", ...more });
  const chats = await makeKey({ endpoints: ["chat_completions"] });
  const calls = { key_id: chats.id, permission: "api.completions.write" };
  expect(await explain(calls)).toMatchObject({ granted: true, least_role: null });
  expect(await explain({ ...calls, permission: "api.files.write" })).toMatchObject({
    granted: false,
    paths: [],
    least_role: null,
  });
  const brief = await makeKey({ expires_in_seconds: 60 });
  expect(await explain({ ...calls, key_id: brief.id })).toMatchObject({ granted: true });
  gateway.pass(60_001);
  expect(await explain({ ...calls, key_id: brief.id })).toMatchObject({ granted: false, least_role: null });
});

test("the preview of a role change lists the affected holders and changes nothing", async () => {
  const { roles, users, groups } = client.admin.organization;
  const draft = { role_name: "Watcher", permissions: ["api.ledger.read", "api.models.read"] };
  const role = await roles.create(draft);
  await users.roles.create(members.ben.id, { role_id: role.id });
  await groups.roles.create(groupId, { role_id: role.id });
  const { id: keyId, value } = await client.admin.organization.adminAPIKeys.create({
    name: "Watch",
    role: role.id,
  } as { name: string });
  const change = { role_name: "Payer", permissions: ["api.payments.write", "api.models.read"] };
  expect(await preview(role.id, change)).toEqual({
    object: "role.preview",
    role: {
      ...role,
      name: "Payer",
      permissions: ["api.payments.write", "api.models.read"],
      version: expect.any(String),
    },
    adds: ["api.payments.write"],
    removes: ["api.ledger.read"],
    members: [
      {
        id: members.ada.id,
        name: "ada",
        email: "ada@example.com",
        gains: ["api.payments.write"],
        loses: [],
        // Still a Reader through the group, so the permissions of that role are not lost.
        kept_by: [{ id: "role_reader", name: "Reader" }],
        held_by: [{ type: "group", id: groupId, name: "Team" }],
      },
      {
        id: members.ben.id,
        name: "ben",
        email: "ben@example.com",
        gains: ["api.payments.write"],
        loses: ["api.ledger.read"],
        kept_by: [],
        held_by: [{ type: "user", id: members.ben.id, name: "ben" }],
      },
    ],
    groups: [
      {
        id: groupId,
        name: "Team",
        members: 1,
        gains: ["api.payments.write"],
        loses: [],
        kept_by: [{ id: "role_reader", name: "Reader" }],
      },
    ],
    admin_keys: [{ id: keyId, name: "Watch" }],
    refused: { days: 7, since: expect.any(Number), changes: [], calls: [] },
    refusal: null,
  } as RolePreview);
  expect(await roles.retrieve(role.id)).toEqual(role);
  expect((await explain({ user_id: members.ben.id, permission: "api.payments.write" })).granted).toBe(false);
  const readLedger = () => as(value).get("/organization/ledger");
  await readLedger();
  await roles.update(role.id, change);
  expect(await catchRefusal(readLedger())).toMatchObject({ status: 403, code: "missing_permission" });
  expect((await explain({ user_id: members.ben.id, permission: "api.payments.write" })).granted).toBe(true);
  expect((await explain({ user_id: members.ben.id, permission: "api.ledger.read" })).granted).toBe(false);
});

test("a preview says why the change would be refused", async () => {
  const { roles, users } = client.admin.organization;
  const everything = (await roles.retrieve("role_owner")).permissions;
  const { id } = await roles.create({ role_name: "Founder", permissions: everything });
  await users.roles.create(members.ben.id, { role_id: id });
  expect((await preview(id, { permissions: everything.slice(1) })).refusal).toMatchObject({
    code: "last_owner",
  });
  expect((await preview(id, { role_name: "Owner" })).refusal).toMatchObject({
    code: "already_exists",
    param: "role_name",
  });
  const draft = { name: "Admin", role: "role_admin" };
  const { value } = await client.admin.organization.adminAPIKeys.create(draft);
  const cut = { permissions: ["api.models.read"] };
  expect((await preview(id, cut, as(value))).refusal?.code).toBe("exceeds_own_permissions");
});

test("a project's role is previewed in its project", async () => {
  const draft = { role_name: "Local", permissions: ["api.rate_limits.read"] };
  const { id } = await client.admin.organization.projects.roles.create(projectId, draft);
  const [user_id, project_id] = [members.lead.id, projectId];
  await client.admin.organization.projects.users.roles.create(user_id, { project_id, role_id: id });
  const body = { permissions: ["api.rate_limits.read", "api.projects.write"] };
  const shown = await as(members.lead.token).post<RolePreview>(`/projects/${projectId}/roles/${id}/preview`, {
    body,
  });
  expect(shown).toMatchObject({
    members: [{ id: user_id, gains: ["api.projects.write"], loses: [] }],
    refusal: { code: "exceeds_own_permissions" },
  });
  const elsewhere = client.post(`/projects/${other}/roles/${id}/preview`, { body });
  expect(await catchRefusal(elsewhere)).toMatchObject({ status: 404, param: "role_id" });
});

test("refuses an invalid query with its field", async () => {
  const asked = { user_id: members.ben.id, permission: "api.models.read" };
  const cases: [() => PromiseLike<unknown>, object][] = [
    [() => explain({ permission: "api.models.read" }), { status: 400, param: "body" }],
    [() => explain({ ...asked, key_id: "key_x" }), { status: 400 }],
    [() => explain({ ...asked, permission: "api.model.read" }), { status: 400, code: "unknown_permission" }],
    [() => explain({ ...asked, x: "1" }), { status: 400, code: "unknown_field", param: "x" }],
    [() => explain({ ...asked, user_id: "user_none" }), { status: 404, param: "user_id" }],
    [() => explain({ key_id: "key_none", permission: asked.permission }), { status: 404, param: "key_id" }],
    [() => explain({ ...asked, project_id: "proj_none" }), { status: 404, param: "project_id" }],
    [() => explain(asked, as("gk_admin_wrong")), { status: 401 }],
    [() => explain(asked, as(financeKey)), { status: 403, code: "missing_permission" }],
    [() => preview("role_none", { role_name: "x" }), { status: 404, param: "role_id" }],
    [() => preview("role_reader", { role_name: "x" }), { status: 403, code: "predefined_role" }],
    [() => preview("role_none", {}), { status: 404, param: "role_id" }],
    [() => preview("role_none", { role_name: "x" }, as(financeKey)), { status: 403 }],
  ];
  for (const [call, expected] of cases) expect(await catchRefusal(call())).toMatchObject(expected);
});
