import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PermissionHolder } from "@/lib/contract/operations/people/permissions";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
import { catchRefusal } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";

type Staffed = Awaited<ReturnType<typeof serveStaffedGateway>>;
let { gateway, client, as, members, projectId, other, groupId } = {} as Staffed;

beforeAll(async () => {
  ({ gateway, client, as, members, projectId, other, groupId } = await serveStaffedGateway());
});
afterAll(() => gateway.close());

const DAY_MS = 86_400_000;

const preview = (roleId: string, permissions: readonly string[], by = client) =>
  by.post<RolePreview>(`/organization/roles/${roleId}/preview`, { body: { permissions } });

const createRole = (role_name: string, permissions: string[]) =>
  client.admin.organization.roles.create({ role_name, permissions });

const giveRole = (userId: string, role_id: string) =>
  client.admin.organization.users.roles.create(userId, { role_id });

const askHolders = ({ permission = "", ...query }: Record<string, string>) =>
  client.get<{ data: PermissionHolder[] }>(`/organization/permissions/${permission}/holders`, { query });

async function listHolders(query: Record<string, string>) {
  const page = await askHolders(query);
  return page.data.map(({ holder, role, through, project_id }) => ({
    who: holder.name,
    type: holder.type as string,
    role: role.name,
    through: through?.name ?? null,
    project: project_id,
  }));
}

test("a preview counts what the last seven days' changes would have met, by person and kind", async () => {
  const permissions = ["api.groups.read", "api.groups.write", "api.service_accounts.write"];
  const held = [...permissions, "api.project_api_keys.write"];
  const role = await createRole("Support", held);
  await giveRole(members.ada.id, role.id);
  // Nobody makes a key that may do more than they may.
  await client.admin.organization.projects.users.create(projectId, {
    user_id: members.ada.id,
    role: "member",
  });
  const ada = as(members.ada.token);
  for (const name of ["One", "Two"]) await ada.admin.organization.groups.create({ name });
  const path = `/organization/projects/${projectId}`;
  await ada.post(`${path}/service_accounts`, { body: { name: "Bot" } });
  await ada.post(`${path}/api_keys`, { body: { name: "Hers" } });
  const lost = ["api.project_api_keys.write", "api.service_accounts.write", "api.groups.write"];
  const { refused, members: affected } = await preview(role.id, ["api.groups.read"]);
  expect(affected).toMatchObject([{ id: members.ada.id, gains: [], loses: lost }]);
  const actor = { type: "user", id: members.ada.id, name: "ada" };
  expect(refused.changes).toMatchObject([
    { actor, event_type: "group.created", project_id: null, times: 2 },
    { actor, event_type: "api_key.created", project_id: projectId, times: 1 },
    { actor, event_type: "service_account.created", project_id: projectId, times: 1 },
  ]);
  const kept = await preview(role.id, ["api.groups.write", "api.project_api_keys.write"]);
  expect(kept.refused.changes?.map(({ event_type }) => event_type)).toEqual(["service_account.created"]);
  const last = await client.get<{ type: string }>(
    `/organization/audit_logs/${refused.changes?.[0]?.last_audit_log_id}`,
  );
  expect(last.type).toBe("group.created");
});

test("what another role still allows, and what was refused anyway, does not count", async () => {
  const role = await createRole("Grouper", ["api.groups.write"]);
  await giveRole(members.ben.id, role.id);
  await as(members.ben.token).admin.organization.groups.create({ name: "Ben's" });
  const spare = await createRole("Spare", ["api.groups.write"]);
  await giveRole(members.ben.id, spare.id);
  const { refused, members: affected } = await preview(role.id, ["api.models.read"]);
  expect(affected).toMatchObject([{ name: "ben", loses: [], kept_by: [{ id: spare.id, name: "Spare" }] }]);
  expect(refused.changes).toEqual([]);
});

test("model calls that would be refused are counted by person or key and project", async () => {
  const role = await createRole("Caller", ["api.completions.write", "api.playground.write"]);
  const { id, value } = await client.admin.organization.adminAPIKeys.create({
    name: "Caller",
    role: role.id,
  } as { name: string });
  const draft = { model: "sandbox-echo", messages: [{ role: "user" as const, content: "Hi" }] };
  const headers = { "OpenAI-Project": projectId };
  for (let call = 0; call < 3; call++) await as(value).chat.completions.create(draft, { headers });
  const cut = await preview(role.id, ["api.playground.write"]);
  expect(cut.refused.calls).toEqual([
    { actor: { type: "admin_key", id, name: "Caller" }, project_id: projectId, calls: 3 },
  ]);
  expect((await preview(role.id, ["api.completions.write"])).refused.calls).toEqual([]);
});

test("whoever may not see the logs gets none of what is in them", async () => {
  const role = await createRole("Watched", ["api.groups.write"]);
  const reviewer = await createRole("Reviewer", ["api.role_assignments.read"]);
  const { value } = await client.admin.organization.adminAPIKeys.create({
    name: "Reviewer",
    role: reviewer.id,
  } as { name: string });
  const { refused } = await preview(role.id, ["api.groups.read"], as(value));
  expect(refused).toMatchObject({ changes: null, calls: null });
});

test("who holds a permission is listed by role, group and place; in a project, only who holds it there", async () => {
  const { groups, projects } = client.admin.organization;
  const role = await createRole("Rotator", ["api.project_api_keys.write"]);
  await groups.users.create(groupId, { user_id: members.ben.id });
  await groups.roles.create(groupId, { role_id: role.id });
  await projects.users.create(other, { user_id: members.ben.id, role: "owner" });
  const permission = "api.project_api_keys.write";
  const everywhere = await listHolders({ permission, limit: "100" });
  const team = { who: "Team", type: "group", role: "Rotator", through: null, project: null };
  const ben = { who: "ben", type: "user", role: "Rotator", through: "Team", project: null };
  const inOther = { who: "ben", type: "user", role: "Project owner", through: null, project: other };
  const lead = { ...inOther, who: "lead", project: projectId };
  for (const one of [team, ben, inOther, lead]) expect(everywhere).toContainEqual(one);
  const here = await listHolders({ permission, project_id: projectId, limit: "100" });
  expect(here).toContainEqual(lead);
  expect(here).toContainEqual(ben);
  expect(here).not.toContainEqual(inOther);
  const keys = await listHolders({
    permission: "api.completions.write",
    project_id: projectId,
    limit: "100",
  });
  expect(keys).toContainEqual({
    who: "Test",
    type: "project_key",
    role: "Project member",
    through: null,
    project: projectId,
  });
});

test("keys that can't use a permission, and those of archived projects, don't hold it", async () => {
  const permission = "api.files.write";
  const archived = (await client.admin.organization.projects.create({ name: "Old" })).id;
  const body = { name: "Of old" };
  await client.post(`/organization/projects/${archived}/api_keys`, { body });
  await client.post(`/organization/projects/${projectId}/api_keys`, {
    body: { name: "Chats alone", endpoints: ["chat_completions"] },
  });
  expect((await listHolders({ permission, limit: "100" })).map(({ who }) => who)).toContain("Of old");
  await client.admin.organization.projects.archive(archived);
  const names = (await listHolders({ permission, limit: "100" })).map(({ who }) => who);
  expect(names).not.toContain("Of old");
  expect(names).not.toContain("Chats alone");
  expect(names).toContain("Test");
});

test("what is older than seven days does not count", async () => {
  const { data } = await client.admin.organization.roles.list();
  const support = data.find(({ name }) => name === "Support")?.id ?? "";
  gateway.pass(7 * DAY_MS - 60_000);
  expect((await preview(support, ["api.groups.read"])).refused.changes).toHaveLength(3);
  gateway.pass(120_000);
  expect((await preview(support, ["api.groups.read"])).refused.changes).toEqual([]);
});

test("a wrong question is refused with its field", async () => {
  const unknown = { status: 404, param: "permission" };
  expect(await catchRefusal(askHolders({ permission: "api.groups.rite" }))).toMatchObject(unknown);
  const elsewhere = { permission: "api.groups.read", project_id: "proj_none" };
  expect(await catchRefusal(askHolders(elsewhere))).toMatchObject({ status: 404, param: "project_id" });
});
