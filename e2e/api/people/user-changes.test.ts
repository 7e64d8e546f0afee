import { afterAll, beforeAll, expect, test } from "bun:test";
import type { UserChangesPreview } from "@/lib/contract/operations/people/users";
import { catchRefusal } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";

type Staffed = Awaited<ReturnType<typeof serveStaffedGateway>>;
let { gateway, client, as, members, projectId, groupId } = {} as Staffed;

beforeAll(async () => {
  ({ gateway, client, as, members, projectId, groupId } = await serveStaffedGateway());
});
afterAll(() => gateway.close());

type Members = UserChangesPreview["members"];
const PATH = "/organization/user_changes";
const two = () => [members.ada.id, members.ben.id];

const changeAll = (action: object, user_ids = two(), by = client) =>
  by.post<{ members: Members }>(PATH, { body: { user_ids, action } });
const preview = (action: object, user_ids = two(), by = client) =>
  by.post<UserChangesPreview>(`${PATH}/preview`, { body: { user_ids, action } });

const listRoles = async (id: string) =>
  (await client.admin.organization.users.roles.list(id)).data.map((role) => role.id);

test("a role is given to all, and the preview says what each gains before", async () => {
  const action = { type: "set_role", role_id: "prompt_tester" };
  const shown = await preview(action);
  expect(shown.members.map(({ name, is_changed, loses }) => [name, is_changed, loses])).toEqual([
    ["ada", true, []],
    ["ben", true, []],
  ]);
  expect(shown.members[0]?.gains).toContain("api.playground.write");
  expect(shown.refusal).toBeNull();
  expect(await listRoles(members.ada.id)).toEqual([]);
  expect((await changeAll(action)).members).toEqual(shown.members);
  for (const id of two()) expect(await listRoles(id)).toEqual(["role_prompt_tester"]);
  expect((await preview(action)).members.map(({ is_changed }) => is_changed)).toEqual([false, false]);
});

test("what a narrower role would have refused is counted for all of them", async () => {
  await changeAll({ type: "set_role", role_id: "admin" });
  await as(members.ada.token).admin.organization.groups.create({ name: "Ada's" });
  const { refused } = await preview({ type: "set_role", role_id: "reader" });
  expect(refused.changes).toMatchObject([{ actor: { name: "ada" }, event_type: "group.created", times: 1 }]);
  await changeAll({ type: "set_role", role_id: "reader" });
});

test("members join a project and a group together, and leave them; whoever is there already stays as they are", async () => {
  await changeAll({ type: "set_project_role", project_id: projectId, role_id: "viewer" });
  const inProject = async () =>
    (await client.admin.organization.projects.users.list(projectId)).data.map(({ id }) => id);
  expect(await inProject()).toEqual(expect.arrayContaining(two()));
  await changeAll({ type: "leave_project", project_id: projectId });
  expect(await inProject()).not.toContain(members.ada.id);
  await client.admin.organization.groups.users.create(groupId, { user_id: members.ben.id });
  const joined = await changeAll({ type: "join_group", group_id: groupId });
  expect(joined.members.map(({ is_changed }) => is_changed)).toEqual([true, false]);
  const inGroup = async () => (await client.admin.organization.groups.users.list(groupId)).data.length;
  expect(await inGroup()).toBe(2);
  await changeAll({ type: "leave_group", group_id: groupId });
  expect(await inGroup()).toBe(0);
});

test("all or none: one whom the actor may not change keeps all others", async () => {
  await client.admin.organization.users.roles.create(members.ben.id, { role_id: "role_owner" });
  const { value } = await client.admin.organization.adminAPIKeys.create({
    name: "Admin",
    role: "role_admin",
  } as { name: string });
  const action = { type: "set_role", role_id: "finance" };
  const refusal = await catchRefusal(changeAll({ type: "remove" }, two(), as(value)));
  expect(refusal).toMatchObject({ status: 403, code: "exceeds_own_permissions" });
  expect((await preview({ type: "remove" }, two(), as(value))).refusal).toMatchObject({
    code: "exceeds_own_permissions",
    user_id: members.ben.id,
  });
  expect(await listRoles(members.ada.id)).toEqual(["role_reader"]);
  await changeAll(action, [members.ada.id]);
});

test("the last owners are not taken away together, although each could be alone", async () => {
  await client.admin.organization.users.roles.create(members.ada.id, { role_id: "role_owner" });
  const both = preview({ type: "set_role", role_id: "reader" });
  expect((await both).refusal).toMatchObject({ code: "last_owner", user_id: null });
  const taking = changeAll({ type: "set_role", role_id: "reader" });
  expect(await catchRefusal(taking)).toMatchObject({ status: 409, code: "last_owner" });
  expect(await listRoles(members.ada.id)).toContain("role_owner");
  await changeAll({ type: "set_role", role_id: "reader" }, [members.ben.id]);
});

test("members are removed together, with one event", async () => {
  await changeAll({ type: "remove" }, [members.ben.id, members.lead.id]);
  const left = (await client.admin.organization.users.list()).data.map(({ id }) => id);
  expect(left).toEqual([members.ada.id]);
  const log = await client.get<{ data: { changes: unknown[] }[] }>(
    "/organization/audit_logs?event_types[]=users.changed&limit=1",
  );
  expect(log.data[0]?.changes.length).toBeGreaterThan(2);
});

test("a wrong change is refused with its field, and changes nothing", async () => {
  const id = members.ada.id;
  const cases: [object, string[], object][] = [
    [{ type: "set_role", role_id: "none" }, [id], { status: 404, param: "action.role_id" }],
    [{ type: "join_group", group_id: "none" }, [id], { status: 404, param: "group_id" }],
    [{ type: "leave_project", project_id: "none" }, [id], { status: 404, param: "action.project_id" }],
    [{ type: "remove" }, [id, "user_none"], { status: 404, param: "user_ids" }],
    [{ type: "remove" }, [], { status: 400, param: "user_ids" }],
    [{ type: "promote" }, [id], { status: 400 }],
  ];
  for (const [action, ids, expected] of cases)
    expect(await catchRefusal(changeAll(action, ids))).toMatchObject(expected);
});
