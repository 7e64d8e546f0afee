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
import { createMember, type Member } from "../../support/stored-data/create-member";
import { createRoleKey } from "../../support/stored-data/create-role-key";

const IN_ORGANIZATION = { projectId: null };
const members = {} as Record<"owner" | "admin" | "reader" | "nobody" | "leaver", Member>;
let gateway: ServedGateway;
let client: OpenAI;
let admin: OpenAI;

const as = ({ token }: Member) => officialClient(gateway.baseUrl, token);

serveForAll(async (served) => {
  gateway = served;
  client = officialClient(gateway.baseUrl, gateway.adminKey);
  await gateway.restart(async () => {
    const make = (name: string, roleIds: string[]) =>
      createMember(
        gateway.dataFolder,
        name,
        roleIds.map((roleId) => ({ roleId, ...IN_ORGANIZATION })),
        gateway.runtime,
      );
    members.owner = await make("owner", ["role_owner"]);
    members.admin = await make("admin", ["role_admin"]);
    members.reader = await make("reader", ["role_reader"]);
    members.nobody = await make("nobody", []);
    members.leaver = await make("leaver", ["role_admin"]);
    admin = officialClient(gateway.baseUrl, await createRoleKey(gateway.dataFolder, "role_admin"));
  });
});

test("the official SDK lists members page by page, by address, and reads one", async () => {
  const { users } = client.admin.organization;
  const listed = await collectAll(users.list({ limit: 2 }));
  expect(listed.map(({ name }) => name).toSorted()).toEqual(["admin", "leaver", "nobody", "owner", "reader"]);
  const [reader, owner] = await Promise.all([
    users.retrieve(members.reader.id),
    users.retrieve(members.owner.id),
  ]);
  expect<object>(reader).toEqual({
    object: "organization.user",
    id: members.reader.id,
    name: "reader",
    email: "reader@example.com",
    role: "reader",
    roles: ["role_reader"],
    added_at: reader.added_at,
    developer_persona: null,
    technical_level: null,
    is_scim_managed: false,
    deactivated_at: null,
    two_factor: false,
    last_signed_in_at: null,
    version: expect.any(String),
  });
  const byAddress = await collectAll(users.list({ emails: ["READER@example.com", "owner@example.com"] }));
  expect(byAddress).toHaveLength(2);
  expect(byAddress).toEqual(expect.arrayContaining([reader, owner]));
  expect((await users.retrieve(members.nobody.id)).role).toBeNull();
});

test("the official SDK gives, reads and takes a member's roles, and open sessions follow at once", async () => {
  const { users } = client.admin.organization;
  const { id } = members.nobody;
  const projects = () => as(members.nobody).admin.organization.projects.list();
  expect(await catchRefusal(projects())).toMatchObject({ status: 403, code: "missing_permission" });
  const given = await users.roles.create(id, { role_id: "role_reader" });
  expect(given).toMatchObject({
    object: "user.role",
    user: { id, role: "reader" },
    role: { id: "role_reader" },
  });
  expect((await projects()).data).toHaveLength(1);
  await users.roles.create(id, { role_id: "role_finance" });
  const held = await collectAll(users.roles.list(id, { limit: 1 }));
  expect(held.map(({ name }) => name)).toEqual(["Reader", "Finance"]);
  const backwards = await collectAll(users.roles.list(id, { limit: 1, order: "desc" }));
  expect(backwards.map(({ name }) => name)).toEqual(["Finance", "Reader"]);
  expect(await users.roles.retrieve("role_finance", { user_id: id })).toMatchObject({
    id: "role_finance",
    predefined_role: true,
    resource_type: "api.organization",
    assignment_sources: [{ principal_type: "user", principal_id: id }],
  });
  for (const role of held) {
    const taken = await users.roles.delete(role.id, { user_id: id });
    expect(taken).toEqual({ object: "user.role.deleted", deleted: true });
  }
  expect(await catchRefusal(projects())).toMatchObject({ status: 403 });
});

test("a member's role is replaced by its word or id, and notes are kept", async () => {
  const { users } = client.admin.organization;
  const { id } = members.nobody;
  expect(await users.update(id, { role: "finance", technical_level: "high" })).toMatchObject({
    role: "finance",
    technical_level: "high",
  });
  const custom = await client.admin.organization.roles.create({
    role_name: "Pricer",
    permissions: ["api.models.write"],
  });
  expect(await users.update(id, { role_id: custom.id })).toMatchObject({
    role: custom.id,
    technical_level: "high",
  });
  expect(await collectAll(users.roles.list(id))).toHaveLength(1);
  expect(await users.update(id, { technical_level: null, developer_persona: "ops" })).toMatchObject({
    role: custom.id,
    technical_level: null,
    developer_persona: "ops",
  });
  await gateway.restart();
  expect(await users.retrieve(id)).toMatchObject({ role: custom.id, developer_persona: "ops" });
  expect(await catchRefusal(client.admin.organization.roles.delete(custom.id))).toMatchObject({
    status: 409,
    code: "in_use",
  });
});

test("a removed member loses access at once, and the address can be used again", async () => {
  const { users } = client.admin.organization;
  const { id } = members.leaver;
  expect((await as(members.leaver).admin.organization.roles.list()).data.length).toBeGreaterThan(0);
  expect(await users.delete(id)).toEqual({ object: "organization.user.deleted", id, deleted: true });
  expect(await catchRefusal(as(members.leaver).admin.organization.roles.list())).toMatchObject({
    status: 401,
  });
  expect(await catchRefusal(users.retrieve(id))).toMatchObject({ status: 404, param: "user_id" });
  await gateway.restart(async () => {
    await createMember(gateway.dataFolder, "leaver");
  });
  expect(await collectAll(users.list({ emails: ["leaver@example.com"] }))).toHaveLength(1);
  expect(await catchRefusal(as(members.leaver).admin.organization.roles.list())).toMatchObject({
    status: 401,
  });
});

test("no caller can grant or revoke more than they hold", async () => {
  const excess = { status: 403, type: "permission_error", code: "exceeds_own_permissions" };
  for (const actor of [admin, as(members.admin)]) {
    const { users, roles } = actor.admin.organization;
    const calls = [
      () => users.roles.create(members.nobody.id, { role_id: "role_owner" }),
      () => users.roles.create(members.admin.id, { role_id: "role_finance" }),
      () => users.roles.delete("role_owner", { user_id: members.owner.id }),
      () => users.update(members.owner.id, { role: "reader" }),
      () => users.update(members.nobody.id, { role: "owner" }),
      () => users.delete(members.owner.id),
      () => roles.create({ role_name: "Payer", permissions: ["api.payments.write"] }),
    ];
    for (const call of calls) {
      const refusal = await catchRefusal(call());
      expect(refusal).toMatchObject({ ...excess, error: { permission: "api.payments.write" } });
    }
  }
  expect(await client.admin.organization.users.retrieve(members.owner.id)).toMatchObject({ role: "owner" });
});

test("the last owner stays, and no owner takes ownership from themselves", async () => {
  const all = client.admin.organization.users;
  const { id } = members.owner;
  const last = { status: 409, type: "conflict_error", code: "last_owner" };
  const ways = (by: OpenAI) => {
    const { users } = by.admin.organization;
    return [
      () => users.roles.delete("role_owner", { user_id: id }),
      () => users.update(id, { role: "reader" }),
      () => users.delete(id),
    ];
  };
  for (const way of [...ways(client), ...ways(as(members.owner))]) {
    expect(await catchRefusal(way())).toMatchObject(last);
  }
  await all.update(members.reader.id, { role: "owner" });
  for (const way of ways(as(members.owner))) {
    expect(await catchRefusal(way())).toMatchObject({ status: 403, code: "own_ownership" });
  }
  await as(members.reader).admin.organization.users.roles.delete("role_owner", { user_id: id });
  expect(await catchRefusal(all.delete(members.reader.id))).toMatchObject(last);
});

test("a role of one's own can't be cut down while ownership hangs on it", async () => {
  const { users, roles } = client.admin.organization;
  const everything = (await roles.retrieve("role_owner")).permissions;
  const draft = { role_name: "Founder", permissions: everything };
  const founder = await roles.create(draft);
  await users.update(members.owner.id, { role_id: founder.id });
  await users.update(members.reader.id, { role: "owner" });
  const change = { permissions: everything.slice(1) };
  const own = as(members.owner).admin.organization.roles;
  expect(await catchRefusal(own.update(founder.id, change))).toMatchObject({ code: "own_ownership" });
  expect(await roles.update(founder.id, change)).toMatchObject({ permissions: everything.slice(1) });
  const foreign = { permissions: ["api.models.read"] };
  expect(await catchRefusal(admin.admin.organization.roles.update(founder.id, foreign))).toMatchObject({
    code: "exceeds_own_permissions",
  });
});

test("unknown members, roles and invalid fields are refused, with the field that is wrong", async () => {
  const { users } = client.admin.organization;
  const { id } = members.admin;
  const wrong = officialClient(gateway.baseUrl, "gk_admin_wrong").admin.organization.users;
  const powerless = officialClient(gateway.baseUrl, gateway.key).admin.organization.users;
  const cases: [PromiseLike<unknown>, object][] = [
    [users.list({ after: "user_none" }), { status: 400, param: "after" }],
    [users.list({ limit: 0 }), { status: 400, param: "limit" }],
    [users.retrieve("user_none"), { status: 404, param: "user_id" }],
    [users.update(id, { role: "reader", role_id: "role_finance" }), { status: 400, param: "body" }],
    [users.update(id, { role: "king" }), { status: 404, param: "role" }],
    [users.update(id, { role_id: "role_project_owner" }), { status: 404, param: "role_id" }],
    [users.update(id, { name: "x" } as object), { status: 400, code: "unknown_field", param: "name" }],
    [users.update("user_none", { role: "reader" }), { status: 404, param: "user_id" }],
    [users.delete("user_none"), { status: 404, param: "user_id" }],
    [users.roles.list("user_none"), { status: 404, param: "user_id" }],
    [users.roles.list(id, { after: "role_none" }), { status: 400, param: "after" }],
    [users.roles.create(id, { role_id: "role_admin" }), { status: 409, param: "role_id" }],
    [users.roles.create(id, { role_id: "role_none" }), { status: 404, param: "role_id" }],
    [users.roles.create(id, {} as { role_id: string }), { status: 400, code: "missing_field" }],
    [users.roles.create("user_none", { role_id: "role_admin" }), { status: 404, param: "user_id" }],
    [users.roles.retrieve("role_reader", { user_id: id }), { status: 404, param: "role_id" }],
    [users.roles.delete("role_reader", { user_id: id }), { status: 404, param: "role_id" }],
    ...[wrong, powerless].flatMap((other): [PromiseLike<unknown>, object][] => {
      const status = other === wrong ? 401 : 403;
      return [
        other.list(),
        other.retrieve(id),
        other.update(id, { role: "reader" }),
        other.delete(id),
        other.roles.list(id),
        other.roles.create(id, { role_id: "role_reader" }),
        other.roles.retrieve("role_admin", { user_id: id }),
        other.roles.delete("role_admin", { user_id: id }),
      ].map((call) => [call, { status }]);
    }),
  ];
  await expectRefusals(cases);
});
