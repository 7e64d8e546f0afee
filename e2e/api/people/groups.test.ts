import { expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember, type Member } from "../../support/stored-data/create-member";

const members = {} as Record<"ada" | "ben" | "admin", Member>;
let gateway: ServedGateway;
let client: OpenAI;

const as = (key: string) => officialClient(gateway.baseUrl, key);

serveForEach(async (served) => {
  gateway = served;
  client = as(gateway.adminKey);
  await gateway.restart(async () => {
    const { dataFolder, runtime } = gateway;
    const admin = [{ roleId: "role_admin", projectId: null }];
    members.ada = await createMember(dataFolder, "ada", [], runtime);
    gateway.pass(1);
    members.ben = await createMember(dataFolder, "ben", [], runtime);
    members.admin = await createMember(dataFolder, "admin", admin, runtime);
  });
});

/** A group for one test. */
const makeGroup = (name: string) => client.admin.organization.groups.create({ name });

test("the official SDK creates, lists, reads, renames and deletes groups", async () => {
  const { groups } = client.admin.organization;
  const support = await makeGroup("Support");
  expect<object>(support).toEqual({
    id: support.id,
    name: "Support",
    group_type: "group",
    is_scim_managed: false,
    created_at: support.created_at,
    version: expect.any(String),
  });
  expect(support.id).toMatch(/^group_/);
  gateway.pass(1);
  const sales = await makeGroup("Sales");
  expect(await groups.retrieve(sales.id)).toEqual(sales);
  const names = async (order: "asc" | "desc") =>
    (await collectAll(groups.list({ limit: 1, order }))).map(({ name }) => name);
  expect(await names("asc")).toEqual(["Support", "Sales"]);
  expect(await names("desc")).toEqual(["Sales", "Support"]);
  expect<object>(await groups.update(sales.id, { name: "SALES" })).toEqual({
    ...sales,
    name: "SALES",
    version: expect.any(String),
  });
  for (const { id } of [support, sales]) {
    expect(await groups.delete(id)).toEqual({ object: "group.deleted", id, deleted: true });
  }
  expect(await collectAll(groups.list())).toEqual([]);
});

test("a member of a group has its permissions from the next call on, until the member or the group is removed", async () => {
  const { groups, users } = client.admin.organization;
  const { id } = members.ada;
  const group = await makeGroup("Readers");
  const canRead = async () => {
    const answer = as(members.ada.token).admin.organization.roles.list();
    return Promise.resolve(answer).then(
      () => true,
      () => false,
    );
  };
  const added = await groups.users.create(group.id, { user_id: id });
  expect(added).toEqual({ object: "group.user", group_id: group.id, user_id: id });
  expect(await canRead()).toBe(false);
  expect(await groups.roles.create(group.id, { role_id: "role_reader" })).toMatchObject({
    object: "group.role",
    group: { object: "group", id: group.id, name: "Readers", scim_managed: false },
    role: { id: "role_reader", name: "Reader" },
  });
  expect(await canRead()).toBe(true);
  const source = { principal_type: "group", principal_id: group.id };
  expect(await collectAll(groups.roles.list(group.id, { limit: 1 }))).toMatchObject([
    { id: "role_reader", assignment_sources: [source] },
  ]);
  expect(await groups.roles.retrieve("role_reader", { group_id: group.id })).toMatchObject({
    name: "Reader",
  });
  await users.roles.create(id, { role_id: "role_reader" });
  expect(await users.roles.retrieve("role_reader", { user_id: id })).toMatchObject({
    assignment_sources: [{ principal_type: "user", principal_id: id }, source],
  });
  await gateway.restart();
  await users.roles.delete("role_reader", { user_id: id });
  expect(await canRead()).toBe(true);
  expect(await catchRefusal(users.roles.delete("role_reader", { user_id: id }))).toMatchObject({
    status: 404,
  });
  expect(await groups.roles.delete("role_reader", { group_id: group.id })).toEqual({
    object: "group.role.deleted",
    deleted: true,
  });
  expect(await canRead()).toBe(false);
  await groups.roles.create(group.id, { role_id: "role_reader" });
  expect(await groups.users.delete(id, { group_id: group.id })).toEqual({
    object: "group.user.deleted",
    deleted: true,
  });
  expect(await canRead()).toBe(false);
  await groups.users.create(group.id, { user_id: id });
  expect(await canRead()).toBe(true);
  await groups.delete(group.id);
  expect(await canRead()).toBe(false);
});

test("the official SDK lists and reads the members of a group", async () => {
  const { groups } = client.admin.organization;
  const { id } = await makeGroup("Listed");
  for (const user of [members.ben, members.ada]) await groups.users.create(id, { user_id: user.id });
  const listed = await collectAll(groups.users.list(id, { limit: 1 }));
  expect(listed).toEqual([
    { id: members.ada.id, name: "ada", email: "ada@example.com" },
    { id: members.ben.id, name: "ben", email: "ben@example.com" },
  ]);
  expect<object>(await groups.users.retrieve(members.ben.id, { group_id: id })).toEqual({
    id: members.ben.id,
    name: "ben",
    email: "ben@example.com",
    is_service_account: false,
    picture: null,
    user_type: "user",
    version: expect.any(String),
  });
});

test("a caller can't add or remove members of a group with more permissions than their own", async () => {
  const { groups } = client.admin.organization;
  const excess = {
    status: 403,
    code: "exceeds_own_permissions",
    error: { permission: "api.payments.write" },
  };
  const { id: group_id } = await makeGroup("Founders");
  const own = as(members.admin.token).admin.organization.groups;
  expect(await catchRefusal(own.roles.create(group_id, { role_id: "role_owner" }))).toMatchObject(excess);
  await groups.roles.create(group_id, { role_id: "role_owner" });
  const [user_id, adminId] = [members.ada.id, members.admin.id];
  expect(await catchRefusal(own.users.create(group_id, { user_id: adminId }))).toMatchObject(excess);
  await groups.users.create(group_id, { user_id });
  expect(await catchRefusal(own.users.delete(user_id, { group_id }))).toMatchObject(excess);
  expect(await catchRefusal(own.delete(group_id))).toMatchObject(excess);
  expect(await catchRefusal(own.roles.delete("role_owner", { group_id }))).toMatchObject(excess);
  expect(await catchRefusal(as(members.admin.token).admin.organization.users.delete(user_id))).toMatchObject(
    excess,
  );
});

test("the last owner stays, where the group is what makes one", async () => {
  const { groups, users } = client.admin.organization;
  const { id: group_id } = await makeGroup("Founders");
  await groups.roles.create(group_id, { role_id: "role_owner" });
  await groups.users.create(group_id, { user_id: members.ada.id });
  const last = { status: 409, code: "last_owner" };
  expect(await catchRefusal(groups.users.delete(members.ada.id, { group_id }))).toMatchObject(last);
  expect(await catchRefusal(groups.roles.delete("role_owner", { group_id }))).toMatchObject(last);
  expect(await catchRefusal(groups.delete(group_id))).toMatchObject(last);
  await users.roles.create(members.ben.id, { role_id: "role_owner" });
  const own = as(members.ada.token).admin.organization.groups;
  expect(await catchRefusal(own.delete(group_id))).toMatchObject({ status: 403, code: "own_ownership" });
  await as(members.ben.token).admin.organization.groups.delete(group_id);
  expect(await catchRefusal(users.delete(members.ben.id))).toMatchObject(last);
});

test("unknown members, roles and invalid fields are refused, with the field that is wrong", async () => {
  const { groups } = client.admin.organization;
  const { id: group_id } = await makeGroup("Taken");
  await makeGroup("Taken too");
  const user_id = members.ben.id;
  await groups.users.create(group_id, { user_id });
  await groups.roles.create(group_id, { role_id: "role_reader" });
  const wrong = as("gk_admin_wrong").admin.organization.groups;
  const powerless = as(gateway.key).admin.organization.groups;
  const none = { group_id: "group_none" };
  const cases: [PromiseLike<unknown>, object][] = [
    [groups.create({ name: "taken" }), { status: 409, code: "already_exists", param: "name" }],
    [groups.create({ name: "Tak\u200ben" }), { status: 409, param: "name" }],
    [groups.create({ name: "" }), { status: 400, param: "name" }],
    [groups.list({ after: "group_none" }), { status: 400, param: "after" }],
    [groups.retrieve("group_none"), { status: 404, param: "group_id" }],
    [groups.update("group_none", { name: "x" }), { status: 404, param: "group_id" }],
    [groups.update(group_id, { name: "Taken too" }), { status: 409, param: "name" }],
    [groups.update(group_id, { name: "a\nb" }), { status: 400, param: "name" }],
    [groups.delete("group_none"), { status: 404, param: "group_id" }],
    [groups.users.list("group_none"), { status: 404, param: "group_id" }],
    [groups.users.list(group_id, { limit: 0 }), { status: 400, param: "limit" }],
    [groups.users.create(group_id, { user_id }), { status: 409, param: "user_id" }],
    [groups.users.create(group_id, { user_id: "user_none" }), { status: 404, param: "user_id" }],
    [groups.users.create(group_id, {} as { user_id: string }), { status: 400, param: "user_id" }],
    [groups.users.create("group_none", { user_id }), { status: 404, param: "group_id" }],
    [groups.users.retrieve(members.admin.id, { group_id }), { status: 404, param: "user_id" }],
    [groups.users.delete(members.admin.id, { group_id }), { status: 404, param: "user_id" }],
    [groups.roles.list("group_none"), { status: 404, param: "group_id" }],
    [groups.roles.list(group_id, { after: "x" }), { status: 400, param: "after" }],
    [groups.roles.create(group_id, { role_id: "role_reader" }), { status: 409, param: "role_id" }],
    [groups.roles.create(group_id, { role_id: "role_none" }), { status: 404, param: "role_id" }],
    [groups.roles.create(group_id, {} as { role_id: string }), { status: 400, param: "role_id" }],
    [groups.roles.retrieve("role_admin", { group_id }), { status: 404, param: "role_id" }],
    [groups.roles.retrieve("role_reader", none), { status: 404, param: "group_id" }],
    [groups.roles.delete("role_admin", { group_id }), { status: 404, param: "role_id" }],
    ...[wrong, powerless].flatMap((other): [PromiseLike<unknown>, object][] => {
      const status = other === wrong ? 401 : 403;
      return [
        other.list(),
        other.create({ name: "x" }),
        other.retrieve(group_id),
        other.update(group_id, { name: "x" }),
        other.delete(group_id),
        other.users.list(group_id),
        other.users.create(group_id, { user_id }),
        other.users.retrieve(user_id, { group_id }),
        other.users.delete(user_id, { group_id }),
        other.roles.list(group_id),
        other.roles.create(group_id, { role_id: "role_reader" }),
        other.roles.retrieve("role_reader", { group_id }),
        other.roles.delete("role_reader", { group_id }),
      ].map((call) => [call, { status }]);
    }),
  ];
  await expectRefusals(cases);
});
