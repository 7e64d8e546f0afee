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

test("the official SDK creates, lists, reads, changes and deletes a project's roles", async () => {
  const { roles } = projectsThrough(client);
  const draft = { role_name: "Limiter", permissions: ["api.rate_limits.write", "api.models.read"] };
  const created = await roles.create(project_id, draft);
  expect<object>(created).toEqual({
    object: "role",
    id: created.id,
    name: "Limiter",
    description: null,
    permissions: ["api.rate_limits.write", "api.models.read"],
    resource_type: "api.project",
    predefined_role: false,
    version: expect.any(String),
  });
  const names = async (id: string) =>
    (await collectAll(roles.list(id, { limit: 2 }))).map(({ name }) => name);
  expect(await names(project_id)).toEqual(["Project owner", "Project member", "Project viewer", "Limiter"]);
  expect(await names(other)).toEqual(["Project owner", "Project member", "Project viewer"]);
  expect((await roles.create(other, draft)).name).toBe("Limiter");
  expect(await roles.retrieve(created.id, { project_id })).toEqual(created);
  expect(await catchRefusal(roles.retrieve(created.id, { project_id: other }))).toMatchObject({
    status: 404,
  });
  const changed = await roles.update(created.id, { project_id, description: "Keeps limits." });
  expect<object>(changed).toEqual({ ...created, description: "Keeps limits.", version: expect.any(String) });
  expect(await roles.delete(created.id, { project_id })).toEqual({
    object: "role.deleted",
    id: created.id,
    deleted: true,
  });
});

test("the official SDK gives, lists, reads and takes roles within a project", async () => {
  const { users, groups } = projectsThrough(client);
  const user_id = members.ada.id;
  await client.admin.organization.groups.users.create(group_id, { user_id });
  const given = await users.roles.create(user_id, { project_id, role_id: "role_project_viewer" });
  expect(given).toMatchObject({
    object: "user.role",
    user: { id: user_id },
    role: { name: "Project viewer" },
  });
  const grouped = await groups.roles.create(group_id, { project_id, role_id: "role_project_viewer" });
  expect(grouped).toMatchObject({
    object: "group.role",
    group: { id: group_id },
    role: { name: "Project viewer" },
  });
  await groups.roles.create(group_id, { project_id, role_id: "role_project_member" });
  const held = await collectAll(users.roles.list(user_id, { project_id, limit: 1 }));
  expect(held.map(({ id, assignment_sources }) => [id, assignment_sources?.length])).toEqual([
    ["role_project_viewer", 2],
    ["role_project_member", 1],
  ]);
  expect(await collectAll(groups.roles.list(group_id, { project_id, limit: 1 }))).toHaveLength(2);
  expect(await collectAll(users.roles.list(user_id, { project_id: other }))).toEqual([]);
  expect(await collectAll(client.admin.organization.users.roles.list(user_id))).toEqual([]);
  expect(await users.roles.retrieve("role_project_member", { project_id, user_id })).toMatchObject({
    resource_type: "api.project",
    assignment_sources: [{ principal_type: "group", principal_id: group_id }],
  });
  expect(await groups.roles.retrieve("role_project_member", { project_id, group_id })).toMatchObject({
    name: "Project member",
  });
  expect(await users.roles.delete("role_project_viewer", { project_id, user_id })).toMatchObject({
    object: "user.role.deleted",
  });
  for (const id of ["role_project_viewer", "role_project_member"]) {
    expect(await groups.roles.delete(id, { project_id, group_id })).toMatchObject({
      object: "group.role.deleted",
    });
  }
  expect(await collectAll(users.roles.list(user_id, { project_id }))).toEqual([]);
});

test("unknown members, roles and invalid fields are refused, with the field that is wrong", async () => {
  const { users, groups, roles } = projectsThrough(client);
  const [user_id, none] = [members.ben.id, { project_id: "proj_none" }];
  const draft = { role_name: "Writer", permissions: ["api.rate_limits.write"] };
  const { id: role_id } = await roles.create(project_id, draft);
  const viewer = "role_project_viewer";
  await users.roles.create(user_id, { project_id, role_id });
  await groups.roles.create(group_id, { project_id, role_id: viewer });
  await expectRefusals([
    [roles.list("proj_none"), { status: 404, param: "project_id" }],
    [roles.create(project_id, { ...draft, role_name: "WRITER" }), { status: 409, param: "role_name" }],
    [
      roles.create(project_id, { role_name: "Payer", permissions: ["api.payments.write"] }),
      { status: 400, param: "permissions.0" },
    ],
    [roles.update(role_id, { project_id: other, role_name: "x" }), { status: 404, param: "role_id" }],
    [roles.update(viewer, { project_id, role_name: "x" }), { status: 403, code: "predefined_role" }],
    [roles.delete(role_id, { project_id }), { status: 409, code: "in_use" }],
    [roles.delete("role_reader", { project_id }), { status: 404, param: "role_id" }],
    [users.roles.list(user_id, none), { status: 404, param: "project_id" }],
    [users.roles.create(user_id, { project_id, role_id }), { status: 409, param: "role_id" }],
    [users.roles.create(user_id, { project_id, role_id: "role_reader" }), { status: 404 }],
    [users.roles.create(user_id, { project_id: other, role_id }), { status: 404, param: "role_id" }],
    [users.roles.create(user_id, { project_id, role_id: "" }), { status: 400, param: "role_id" }],
    [users.roles.retrieve(viewer, { project_id, user_id }), { status: 404, param: "role_id" }],
    [users.roles.delete(viewer, { project_id, user_id }), { status: 404, param: "role_id" }],
    [groups.roles.list("group_none", { project_id }), { status: 404, param: "group_id" }],
    [groups.roles.create(group_id, { project_id, role_id: viewer }), { status: 409, param: "role_id" }],
    [groups.roles.create(group_id, { project_id, role_id: "" }), { status: 400, param: "role_id" }],
    [groups.roles.retrieve(role_id, { project_id, group_id }), { status: 404, param: "role_id" }],
    [groups.roles.delete(role_id, { project_id, group_id }), { status: 404, param: "role_id" }],
  ]);
  for (const [key, status] of [
    ["gk_admin_wrong", 401],
    [gateway.key, 403],
  ] as const) {
    const projects = projectsThrough(as(key));
    const calls = [
      projects.roles.list(project_id),
      projects.roles.create(project_id, draft),
      projects.roles.retrieve(role_id, { project_id }),
      projects.roles.update(role_id, { project_id, role_name: "x" }),
      projects.roles.delete(role_id, { project_id }),
      projects.users.roles.list(user_id, { project_id }),
      projects.users.roles.create(user_id, { project_id, role_id }),
      projects.users.roles.retrieve(role_id, { project_id, user_id }),
      projects.users.roles.delete(role_id, { project_id, user_id }),
      projects.groups.roles.list(group_id, { project_id }),
      projects.groups.roles.create(group_id, { project_id, role_id }),
      projects.groups.roles.retrieve(role_id, { project_id, group_id }),
      projects.groups.roles.delete(role_id, { project_id, group_id }),
    ];
    await expectRefusals(calls.map((call) => [call, { status }]));
  }
});
