import { afterAll, expect, test } from "bun:test";
import type OpenAI from "openai";
import { catchRefusal, collectAll, expectRefusals } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";

const {
  gateway,
  client,
  as,
  members,
  projectId: project_id,
  other,
  groupId: group_id,
} = await serveStaffedGateway();
afterAll(() => gateway.close());

const projectsThrough = (openai: OpenAI) => openai.admin.organization.projects;

const ask = (openai: OpenAI, project: string) =>
  openai.chat.completions.create(
    { model: "sandbox-echo", messages: [{ role: "user", content: "x" }] },
    { headers: { "OpenAI-Project": project } },
  );

test("the official SDK adds, lists, reads, changes and removes a project's members", async () => {
  const { users } = projectsThrough(client);
  const [user_id, ada] = [members.ada.id, as(members.ada.token)];
  expect(await catchRefusal(ask(ada, project_id))).toMatchObject({ status: 403, code: "missing_permission" });
  const added = await users.create(project_id, { user_id, role: "member" });
  expect<object>(added).toEqual({
    object: "organization.project.user",
    id: user_id,
    name: "ada",
    email: "ada@example.com",
    role: "member",
    roles: ["role_project_member"],
    added_at: added.added_at,
    version: expect.any(String),
  });
  expect((await ask(ada, project_id)).choices[0]?.message.content).toBe("x");
  expect(await catchRefusal(ask(ada, other))).toMatchObject({ status: 403, code: "missing_permission" });
  expect((await collectAll(projectsThrough(ada).list())).map(({ id }) => id)).toEqual([project_id]);
  expect(await catchRefusal(projectsThrough(ada).retrieve(other))).toMatchObject({ status: 403 });
  const listed = await collectAll(users.list(project_id, { limit: 1 }));
  expect(listed.map(({ name, role }) => [name, role])).toEqual([
    ["lead", "owner"],
    ["ada", "member"],
  ]);
  expect(await users.retrieve(user_id, { project_id })).toEqual(added);
  expect<object>(await users.update(user_id, { project_id, role: "viewer" })).toEqual({
    ...added,
    role: "viewer",
    roles: ["role_project_viewer"],
    version: expect.any(String),
  });
  expect(await catchRefusal(ask(ada, project_id))).toMatchObject({ status: 403 });
  expect(await users.delete(user_id, { project_id })).toEqual({
    object: "organization.project.user.deleted",
    id: user_id,
    deleted: true,
  });
  expect(await catchRefusal(users.retrieve(user_id, { project_id }))).toMatchObject({ status: 404 });
  expect(await users.create(project_id, { email: "BEN@example.com", role: "member" })).toMatchObject({
    id: members.ben.id,
  });
});

test("an owner of one project manages only that project, and grants only their own permissions", async () => {
  const lead = as(members.lead.token);
  const { users } = projectsThrough(lead);
  const user_id = members.ada.id;
  expect((await collectAll(users.list(project_id))).length).toBeGreaterThan(0);
  await users.create(project_id, { user_id, role: "owner" });
  await users.delete(user_id, { project_id });
  const role = await client.admin.organization.projects.roles.create(project_id, {
    role_name: "Archivist",
    permissions: ["api.projects.write"],
  });
  const beyond = {
    status: 403,
    code: "exceeds_own_permissions",
    error: { permission: "api.projects.write" },
  };
  const missing = { status: 403, code: "missing_permission" };
  await expectRefusals([
    [users.create(project_id, { user_id, role: role.id }), beyond],
    [users.roles.create(members.ben.id, { project_id, role_id: role.id }), beyond],
    [projectsThrough(lead).roles.delete("role_project_owner", { project_id }), { code: "predefined_role" }],
    [users.list(other), missing],
    [users.create(other, { user_id, role: "member" }), missing],
    [
      projectsThrough(lead).roles.create(other, { role_name: "x", permissions: ["api.models.read"] }),
      missing,
    ],
    [lead.admin.organization.roles.create({ role_name: "x", permissions: ["api.models.read"] }), missing],
    [lead.admin.organization.users.list(), missing],
    [projectsThrough(lead).create({ name: "Mine" }), missing],
  ]);
  expect(await projectsThrough(client).roles.delete(role.id, { project_id })).toMatchObject({
    deleted: true,
  });
});

test("a header that names one's own project opens nothing of the organization", async () => {
  const lead = as(members.lead.token);
  const headers = { "OpenAI-Project": project_id };
  const draft = { role_name: "Everywhere", permissions: ["api.models.read"] };
  expect(await catchRefusal(lead.admin.organization.roles.create(draft, { headers }))).toMatchObject({
    status: 403,
    code: "missing_permission",
  });
  expect((await lead.models.list({ headers })).data.length).toBeGreaterThan(0);
});

test("the official SDK adds, lists, reads and removes a project's groups", async () => {
  const { groups } = projectsThrough(client);
  await client.admin.organization.groups.users.create(group_id, { user_id: members.ada.id });
  const added = await groups.create(project_id, { group_id, role: "member" });
  expect<object>(added).toEqual({
    object: "project.group",
    project_id,
    group_id,
    group_name: "Team",
    group_type: "group",
    roles: ["role_project_member"],
    created_at: added.created_at,
    version: expect.any(String),
  });
  expect((await ask(as(members.ada.token), project_id)).object).toBe("chat.completion");
  expect(await collectAll(groups.list(project_id, { limit: 1 }))).toEqual([added]);
  expect(await groups.retrieve(group_id, { project_id })).toEqual(added);
  expect(await collectAll(groups.list(other))).toEqual([]);
  expect(await groups.delete(group_id, { project_id })).toEqual({
    object: "project.group.deleted",
    deleted: true,
  });
  expect(await catchRefusal(ask(as(members.ada.token), project_id))).toMatchObject({ status: 403 });
});

test("in an archived project nothing changes any more", async () => {
  const { id } = await projectsThrough(client).create({ name: "Old" });
  await projectsThrough(client).archive(id);
  const archived = { status: 409, code: "project_archived" };
  const { users, groups, roles } = projectsThrough(client);
  const user_id = members.ada.id;
  await expectRefusals([
    [users.create(id, { user_id, role: "member" }), archived],
    [users.roles.create(user_id, { project_id: id, role_id: "role_project_member" }), archived],
    [groups.create(id, { group_id, role: "member" }), archived],
    [roles.create(id, { role_name: "x", permissions: ["api.models.read"] }), archived],
  ]);
});

test("unknown members, roles and invalid fields are refused, with the field that is wrong", async () => {
  const { users, groups } = projectsThrough(client);
  const user_id = members.ben.id;
  await groups.create(project_id, { group_id, role: "viewer" });
  await expectRefusals([
    [users.list("proj_none"), { status: 404, param: "project_id" }],
    [users.list(project_id, { after: "user_none" }), { status: 400, param: "after" }],
    [users.create(project_id, { user_id, role: "member" }), { status: 409, param: "user_id" }],
    [users.create(project_id, { role: "member" }), { status: 400, param: "body" }],
    [users.create(project_id, { user_id, role: "king" }), { status: 409 }],
    [users.create(project_id, { user_id: members.ada.id, role: "king" }), { status: 404, param: "role" }],
    [users.create(project_id, { user_id: "user_none", role: "member" }), { status: 404, param: "user_id" }],
    [users.create(project_id, { email: "x@example.com", role: "member" }), { status: 404, param: "email" }],
    [users.create("proj_none", { user_id, role: "member" }), { status: 404, param: "project_id" }],
    [users.retrieve(members.ada.id, { project_id }), { status: 404, param: "user_id" }],
    [users.update(members.ada.id, { project_id, role: "member" }), { status: 404, param: "user_id" }],
    [users.update(user_id, { project_id, role: "role_owner" }), { status: 404, param: "role" }],
    [users.delete(members.ada.id, { project_id }), { status: 404, param: "user_id" }],
    [groups.list("proj_none"), { status: 404, param: "project_id" }],
    [groups.create(project_id, { group_id, role: "member" }), { status: 409, param: "group_id" }],
    [groups.create(project_id, { group_id: "group_none", role: "member" }), { status: 404 }],
    [groups.create(other, { group_id, role: "role_reader" }), { status: 404, param: "role" }],
    [groups.retrieve(group_id, { project_id: other }), { status: 404, param: "group_id" }],
    [groups.retrieve(group_id, { project_id, group_type: "tenant_group" }), { status: 404 }],
    [groups.delete(group_id, { project_id: other }), { status: 404, param: "group_id" }],
  ]);
  for (const [key, status] of [
    ["gk_admin_wrong", 401],
    [gateway.key, 403],
  ] as const) {
    const projects = projectsThrough(as(key));
    const calls = [
      projects.users.list(project_id),
      projects.users.create(project_id, { user_id, role: "member" }),
      projects.users.retrieve(user_id, { project_id }),
      projects.users.update(user_id, { project_id, role: "member" }),
      projects.users.delete(user_id, { project_id }),
      projects.groups.list(project_id),
      projects.groups.create(project_id, { group_id, role: "member" }),
      projects.groups.retrieve(group_id, { project_id }),
      projects.groups.delete(group_id, { project_id }),
    ];
    await expectRefusals(calls.map((call) => [call, { status }]));
  }
});
