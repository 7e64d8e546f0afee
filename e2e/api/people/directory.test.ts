import { expect, test } from "bun:test";
import { type Directory, entraUser, oktaUser, openDirectory } from "../../support/clients/directory-client";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createRoleKey } from "../../support/stored-data/create-role-key";

let gateway: ServedGateway;
let directory: Directory;

serveForEach(
  async (served) => {
    gateway = served;
    directory = await openDirectory(gateway);
  },
  { isExamined: true },
);

interface Listed {
  readonly data: readonly { id: string; email: string; name: string; roles: string[] }[];
}
const members = () => gateway.admin<Listed>("GET", "/organization/users?limit=100");
const as = (token: string) => createOrganizationClient(gateway.baseUrl)("GET", "/me", undefined, token);
const group = (displayName: string, ids: readonly string[] = []) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
  displayName,
  members: ids.map((value) => ({ value })),
});
const memberIds = (body: Readonly<Record<string, unknown>>) =>
  (body.members as { value: string }[]).map(({ value }) => value);

test("a directory's token expires, opens nothing but SCIM, and nothing else opens SCIM without the permission", async () => {
  const missing = await createOrganizationClient(gateway.baseUrl)(
    "POST",
    "/admin_api_keys",
    { name: "Okta", role: "directory" },
    gateway.adminKey,
  );
  expect([missing.status, missing.error.param]).toEqual([400, "expires_in_seconds"]);
  const elsewhere = await createOrganizationClient(gateway.baseUrl)(
    "GET",
    "/users",
    undefined,
    directory.token.value,
  );
  expect(elsewhere.status).toBe(403);
  const { dataFolder } = gateway;
  const keys: string[] = [];
  await gateway.restart(async () => {
    for (const role of ["role_admin", "role_reader", "role_finance"])
      keys.push(await createRoleKey(dataFolder, role));
  });
  for (const key of [...keys, gateway.key])
    expect(await directory.ask("GET", "/Users", undefined, key)).toMatchObject({
      status: 403,
      body: { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "403" },
    });
  expect((await directory.ask("GET", "/Users", undefined, gateway.adminKey)).status).toBe(200);
  expect((await directory.ask("GET", "/ServiceProviderConfig")).body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true },
  });
  gateway.pass(86_400_000);
  expect((await directory.ask("GET", "/Users")).status).toBe(401);
});

test("describes the two kinds of resources", async () => {
  const { ask } = directory;
  expect((await ask("GET", "/ResourceTypes")).body).toMatchObject({ totalResults: 2 });
  const user = "urn:ietf:params:scim:schemas:core:2.0:User";
  expect((await ask("GET", `/Schemas/${user}`)).body).toMatchObject({ id: user, name: "User" });
  expect((await ask("GET", "/Schemas/urn:x")).status).toBe(404);
  expect((await ask("GET", "/Devices")).body).toMatchObject({ status: "404" });
  expect((await ask("PUT", "/Users", oktaUser("x@example.com"))).status).toBe(405);
});

test("Okta: looks for a person, creates, replaces, deactivates, activates and removes them", async () => {
  const { ask, find, patch } = directory;
  const email = "ada@example.com";
  expect((await find("Users", `userName eq "${email}"`)).body).toMatchObject({
    totalResults: 0,
    Resources: [],
  });
  const { status, body: created } = await ask("POST", "/Users", oktaUser(email));
  expect([status, created]).toMatchObject([
    201,
    { userName: email, active: true, displayName: "Ada Lovelace" },
  ]);
  expect((await members()).data).toMatchObject([{ id: created.id, email, name: "Ada Lovelace", roles: [] }]);
  expect((await find("Users", `userName eq "ADA@example.com"`)).body.Resources).toMatchObject([
    { id: created.id },
  ]);
  expect(await ask("POST", "/Users", oktaUser(email))).toMatchObject({
    status: 409,
    body: { status: "409", scimType: "uniqueness" },
  });
  const renamed = oktaUser(email, {
    name: { givenName: "Ada", familyName: "King" },
    displayName: "Ada King",
  });
  expect(await ask("PUT", `/Users/${created.id}`, renamed)).toMatchObject({
    status: 200,
    body: { displayName: "Ada King", name: { familyName: "King" }, externalId: "00ujl29u0le5T6Aj10h7" },
  });
  for (const active of [false, true])
    expect((await patch(`/Users/${created.id}`, { op: "replace", value: { active } })).body).toMatchObject({
      active,
      displayName: "Ada King",
    });
  expect((await ask("DELETE", `/Users/${created.id}`)).status).toBe(204);
  expect(await ask("GET", `/Users/${created.id}`)).toMatchObject({ status: 404, body: { status: "404" } });
  expect((await members()).data).toEqual([]);
});

test("Entra: patches with paths, capitals and truth values as text, and attributes that aren't kept", async () => {
  const { ask, find, patch } = directory;
  const { body: created } = await ask(
    "POST",
    "/Users",
    entraUser("ben@corp.onmicrosoft.com", "ben@example.com"),
  );
  expect(created).toMatchObject({
    userName: "ben@corp.onmicrosoft.com",
    emails: [{ value: "ben@example.com" }],
  });
  const external = `externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef" and active eq true`;
  expect((await find("Users", external)).body).toMatchObject({ totalResults: 1 });
  const path = `/Users/${created.id}`;
  const changed = await patch(
    path,
    { op: "Replace", path: 'emails[type eq "work"].value', value: "benjamin@example.com" },
    { op: "Add", path: "displayName", value: "Benjamin Smith" },
    { op: "Replace", path: "name.familyName", value: "Smythe" },
    { op: "Add", path: "title", value: "Seller" },
    {
      op: "Add",
      path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
      value: "Sales",
    },
    { op: "Replace", path: "active", value: "False" },
  );
  expect(changed).toMatchObject({
    status: 200,
    body: {
      active: false,
      displayName: "Benjamin Smith",
      name: { givenName: "Ben", familyName: "Smythe" },
      emails: [{ value: "benjamin@example.com" }],
    },
  });
  expect((await patch(path, { op: "Replace", value: { active: "True" } })).body).toMatchObject({
    active: true,
  });
  const faults: readonly [object, string][] = [
    [{ op: "move", path: "active", value: true }, "invalidSyntax"],
    [{ op: "Remove" }, "noTarget"],
    [{ op: "Replace", path: "active", value: "maybe" }, "invalidValue"],
    [{ op: "Replace", path: "emails[type", value: "x" }, "invalidPath"],
    [{ op: "Replace", path: "userName", value: "" }, "invalidValue"],
    [{ op: "Replace", path: "id", value: "user_other" }, "mutability"],
    [{ op: "Add", path: "__proto__.active", value: true }, "none"],
  ];
  for (const [operation, scimType] of faults) {
    const { status, body } = await patch(path, operation);
    expect([status, body.scimType ?? "none"]).toEqual([scimType === "none" ? 200 : 400, scimType]);
  }
  expect(({} as { active?: unknown }).active).toBeUndefined();
});

test("groups are kept with their members, in the forms of both, and give the roles that they hold", async () => {
  const { ask, find, patch } = directory;
  const people: string[] = [];
  for (const name of ["ada", "ben", "cleo"])
    people.push((await ask("POST", "/Users", oktaUser(`${name}@example.com`))).body.id);
  const [ada = "", ben = "", cleo = ""] = people;
  const { body: created } = await ask("POST", "/Groups", group("Data", [ada]));
  await gateway.admin("POST", `/organization/groups/${created.id}/roles`, { role_id: "role_reader" });
  const path = `/Groups/${created.id}`;
  const add = { op: "Add", path: "members", value: [{ value: ben }, { value: cleo }, { value: ben }] };
  expect((await patch(path, add)).status).toBe(200);
  const read = async () => memberIds((await ask("GET", path)).body).toSorted();
  expect(await read()).toEqual([ada, ben, cleo].toSorted());
  const held = await gateway.admin<{ roles: string[] }>("GET", `/organization/users/${ben}`);
  expect(held).toMatchObject({ id: ben });
  expect((await find("Groups", `displayName eq "data"`)).body.Resources).toMatchObject([{ id: created.id }]);
  const both = `id eq "${created.id}" and members.value eq "${cleo}"`;
  const without = await ask("GET", `/Groups?excludedAttributes=members&filter=${encodeURIComponent(both)}`);
  expect(without.body.Resources).toHaveLength(1);
  expect(without.body.Resources[0]).not.toHaveProperty("members");
  expect((await find("Groups", `members eq "nobody"`)).body.totalResults).toBe(0);
  await patch(path, { op: "Remove", path: "members", value: [{ value: ada }] });
  expect(await read()).toEqual([ben, cleo].toSorted());
  await patch(path, { op: "remove", path: `members[value eq "${ben}"]` });
  expect(await read()).toEqual([cleo]);
  await patch(path, { op: "replace", path: "members", value: [{ value: ada, display: "Ada" }] });
  expect(await read()).toEqual([ada]);
  await patch(path, { op: "replace", value: { id: created.id, displayName: "Data science" } });
  expect((await ask("PUT", path, group("Data science", [ben]))).status).toBe(200);
  expect(await read()).toEqual([ben]);
  expect(
    (await patch(path, { op: "add", path: "members", value: [{ value: "user_x" }] })).body,
  ).toMatchObject({
    scimType: "invalidValue",
    detail: 'members: there is no user "user_x".',
  });
  expect(await ask("POST", "/Groups", group("DATA science"))).toMatchObject({
    status: 409,
    body: { scimType: "uniqueness" },
  });
  expect((await ask("DELETE", path)).status).toBe(204);
});

test("pages are counted from 1, and filters that can't be read say how to write them", async () => {
  const { ask, find } = directory;
  for (const name of ["a", "b", "c"]) await ask("POST", "/Users", oktaUser(`${name}@example.com`));
  const page = async (query: string) => {
    const { body } = await ask("GET", `/Users?${query}`);
    return [
      body.totalResults,
      body.startIndex,
      body.itemsPerPage,
      body.Resources.map(({ userName }) => userName),
    ];
  };
  expect(await page("startIndex=2&count=1")).toEqual([3, 2, 1, ["b@example.com"]]);
  expect(await page("startIndex=0&count=2")).toEqual([3, 1, 2, ["a@example.com", "b@example.com"]]);
  expect(await page("startIndex=9")).toEqual([3, 9, 0, []]);
  expect(await page("count=0")).toEqual([3, 1, 0, []]);
  expect((await ask("GET", "/Users?count=many")).body).toMatchObject({ scimType: "invalidValue" });
  for (const filter of [
    "userName",
    'shoeSize eq "9"',
    `userName eq "${"x".repeat(1_001)}"`,
    '"\n\n\n\n',
    "(((",
  ])
    expect([filter, await find("Users", filter)]).toMatchObject([
      filter,
      { status: 400, body: { scimType: "invalidFilter" } },
    ]);
  const { body } = await ask("GET", "/Users?attributes=userName,emails.value&count=1");
  expect(Object.keys(body.Resources[0] ?? {}).toSorted()).toEqual(["emails", "id", "schemas", "userName"]);
});

test("whoever is deactivated stops at once and comes back as they were", async () => {
  const { find, patch, ask: ofDirectory } = directory;
  const joined = await joinMember(gateway, "ada@example.com");
  const ask = createOrganizationClient(gateway.baseUrl);
  const found = await find("Users", 'userName eq "ada@example.com"');
  expect(found.body.Resources).toMatchObject([{ id: joined.id, active: true }]);
  const path = `/Users/${joined.id}`;
  await patch(path, { op: "Add", path: "externalId", value: "x-1" });
  await patch(path, { op: "Replace", path: "active", value: "False" });
  expect((await as(joined.token)).status).toBe(401);
  const state = async (query: string) =>
    (await gateway.admin<Listed>("GET", `/organization/users?deactivated=${query}`)).data.map(({ id }) => id);
  expect([await state("true"), await state("false")]).toEqual([[joined.id], []]);
  expect((await ofDirectory("GET", path)).body).toMatchObject({ active: false, externalId: "x-1" });
  const signIn = () => ask("POST", "/sign_in", { email: "ada@example.com", password: PASSWORD });
  expect(await signIn()).toMatchObject({ status: 403, error: { code: "account_deactivated" } });
  await patch(path, { op: "Replace", path: "active", value: "True" });
  const back = await signIn();
  expect(back.status).toBe(200);
  expect((await as(String(back.body.token))).body).toMatchObject({ user: { id: joined.id } });
  expect((await members()).data).toMatchObject([{ id: joined.id, roles: ["role_reader"] }]);
});

test("a person with an invitation is the same person, and gets its roles", async () => {
  await gateway.admin("POST", "/organization/invites", {
    email: "ada@example.com",
    role: "reader",
    projects: [],
  });
  const { body } = await directory.ask("POST", "/Users", oktaUser("ada@example.com"));
  expect((await members()).data).toMatchObject([{ id: body.id, roles: ["role_reader"] }]);
  const invites = await gateway.admin<{ data: object[] }>("GET", "/organization/invites");
  expect(invites.data).toMatchObject([{ status: "accepted" }]);
});

test("the last Owner stays, whatever the directory sends", async () => {
  const { ask, patch } = directory;
  const owner = await joinMember(gateway, "owner@example.com", { role: "owner" });
  const path = `/Users/${owner.id}`;
  for (const refused of [
    await patch(path, { op: "replace", value: { active: false } }),
    await ask("PUT", path, oktaUser("owner@example.com", { active: false })),
    await ask("DELETE", path),
  ])
    expect(refused).toMatchObject({
      status: 409,
      body: { status: "409", detail: expect.stringContaining("must keep an Owner") },
    });
  const other = await joinMember(gateway, "other@example.com", { role: "owner" });
  await patch(path, { op: "replace", value: { active: false } });
  // A deactivated Owner is none.
  expect((await ask("DELETE", `/Users/${other.id}`)).status).toBe(409);
  expect((await as(other.token)).status).toBe(200);
});

test("what is sent at once is done one after another", async () => {
  const { ask, patch } = directory;
  const twice = await Promise.all([1, 2].map(() => ask("POST", "/Users", oktaUser("ada@example.com"))));
  expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const people: string[] = [];
  for (let index = 0; index < 6; index++)
    people.push((await ask("POST", "/Users", oktaUser(`p${index}@example.com`))).body.id);
  const { body } = await ask("POST", "/Groups", group("Data"));
  await Promise.all(
    people.map((value) => patch(`/Groups/${body.id}`, { op: "Add", path: "members", value: [{ value }] })),
  );
  expect(memberIds((await ask("GET", `/Groups/${body.id}`)).body).toSorted()).toEqual(people.toSorted());
});

test("nobody but the directory changes who is in its groups, until one is taken from it", async () => {
  const { ask } = directory;
  const { body: ada } = await ask("POST", "/Users", oktaUser("ada@example.com"));
  const { body: made } = await ask("POST", "/Groups", group("Data"));
  const change = createOrganizationClient(gateway.baseUrl);
  const by = (method: "DELETE" | "GET" | "POST", path: string, body?: object) =>
    change(method, `/groups/${made.id}${path}`, body, gateway.adminKey);
  expect((await by("GET", "")).body).toMatchObject({ is_scim_managed: true });
  const many = { user_ids: [ada.id], action: { type: "join_group", group_id: made.id } };
  for (const refused of [
    await by("POST", "/users", { user_id: ada.id }),
    await by("POST", "", { name: "Mine" }),
    await change("POST", "/user_changes", many, gateway.adminKey),
  ])
    expect(refused).toMatchObject({ status: 409, error: { code: "kept_by_directory" } });
  expect((await by("POST", "", { is_scim_managed: false })).body).toMatchObject({ is_scim_managed: false });
  expect((await by("POST", "/users", { user_id: ada.id })).status).toBe(200);
  await ask("PUT", `/Groups/${made.id}`, group("Data", []));
  expect((await by("GET", "")).body).toMatchObject({ is_scim_managed: true });
  expect((await by("DELETE", `/users/${ada.id}`)).status).toBe(404);
});

test("keys of somebody who left go on, and are listed until each is kept or revoked", async () => {
  const { patch, ask } = directory;
  const ada = await joinMember(gateway, "ada@example.com", { role: "owner" });
  await joinMember(gateway, "owner@example.com", { role: "owner" });
  const path = `/projects/${gateway.projectId}/api_keys`;
  const client = createOrganizationClient(gateway.baseUrl);
  const keys: { id: string; value: string }[] = [];
  for (const name of ["one", "two"])
    keys.push((await client("POST", path, { name }, ada.token)).body as (typeof keys)[number]);
  const listed = async () =>
    (
      await gateway.admin<{ data: { id: string; maker_left: object }[] }>(
        "GET",
        "/organization/orphaned_api_keys",
      )
    ).data;
  expect(await listed()).toEqual([]);
  gateway.pass(1_000);
  await patch(`/Users/${ada.id}`, { op: "replace", value: { active: false } });
  expect(await listed()).toMatchObject([
    { id: keys[1]?.id, maker_left: { how: "deactivated" } },
    { id: keys[0]?.id },
  ]);
  const [one, two] = keys;
  const model = await client("GET", "/me", undefined, one?.value);
  expect(model.status).toBe(200);
  await gateway.admin("POST", `/organization${path}/${one?.id}`, { keep: true });
  expect((await client("DELETE", `${path}/${two?.id}`, undefined, gateway.adminKey)).status).toBe(200);
  expect(await listed()).toEqual([]);
  // Whoever comes back and leaves again leaves the question again.
  await patch(`/Users/${ada.id}`, { op: "replace", value: { active: true } });
  gateway.pass(1_000);
  expect((await ask("DELETE", `/Users/${ada.id}`)).status).toBe(204);
  expect(await listed()).toMatchObject([{ id: one?.id, maker_left: { how: "removed" } }]);
});

test("each change is in the audit log, by the token", async () => {
  const { body } = await directory.ask("POST", "/Users", oktaUser("ada@example.com"));
  await directory.patch(`/Users/${body.id}`, { op: "replace", value: { active: false } });
  await directory.ask("DELETE", `/Users/${body.id}`);
  const log = await gateway.admin<{ data: { type: string; actor: unknown }[] }>(
    "GET",
    "/organization/audit_logs?limit=3",
  );
  expect(log.data.map(({ type }) => type)).toEqual(["user.deleted", "user.updated", "user.added"]);
  expect(JSON.stringify(log.data[0]?.actor)).toContain(directory.token.id);
});
