import { describe, expect, test } from "bun:test";
import type { Permission } from "@/lib/contract/access/permissions";
import {
  type PredefinedRole,
  predefinedRoles,
  projectMemberRole,
  projectOwnerRole,
} from "@/lib/contract/access/predefined-roles";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { allows, type CallerKind, findNeededPermission } from "@/lib/contract/access-table";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember, type Member } from "../../support/stored-data/create-member";
import { createRoleKey } from "../../support/stored-data/create-role-key";

const listRoles = (type: string) => predefinedRoles.filter(({ resourceType }) => resourceType === type);
const [organizationRoles, projectRoles] = [listRoles("api.organization"), listRoles("api.project")];
const readerRole = organizationRoles.find(({ id }) => id === "role_reader") as PredefinedRole;
const keys = new Map<string, string>();
let gateway: ServedGateway;

let grouped: Member;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    for (const { id } of organizationRoles) {
      keys.set(id, await createRoleKey(gateway.dataFolder, id));
      await createMemberWith(id, null);
    }
    for (const { id } of projectRoles) await createMemberWith(id, gateway.projectId);
    const { dataFolder, runtime } = gateway;
    keys.set("member without a role", (await createMember(dataFolder, "nobody", [], runtime)).token);
    grouped = await createMember(dataFolder, "grouped", [], runtime);
  });
  keys.set("member in a group of Readers", grouped.token);
  const { id: group } = await gateway.admin<{ id: string }>("POST", "/organization/groups", {
    name: "Readers",
  });
  await gateway.admin("POST", `/organization/groups/${group}/roles`, { role_id: readerRole.id });
  await gateway.admin("POST", `/organization/groups/${group}/users`, { user_id: grouped.id });
  keys.set("project key", gateway.key);
  for (const role of ["owner", "none"] as const) keys.set(`${role}'s key`, await createAccountKey(role));
  keys.set(
    "wrong key",
    newSecretKey("gk_admin_", (bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
  );
});

/** A member with one role and an open session, stored while the gateway is closed. */
async function createMemberWith(roleId: string, projectId: string | null): Promise<void> {
  const { dataFolder, runtime } = gateway;
  const { token } = await createMember(dataFolder, roleId, [{ roleId, projectId }], runtime);
  keys.set(`member, ${roleId}`, token);
}

/** The key of a service account with a role in the project. */
async function createAccountKey(role: "owner" | "none"): Promise<string> {
  const accounts = `/organization/projects/${gateway.projectId}/service_accounts`;
  const draft = { name: role, create_service_account_only: true };
  const { id } = await gateway.admin<{ id: string }>("POST", accounts, draft);
  if (role === "owner") await gateway.admin("POST", `${accounts}/${id}`, { role });
  return (await gateway.admin<{ value: string }>("POST", `${accounts}/${id}/api_keys`, {})).value;
}

/**
 * `within`: the place in which a caller holds permissions. Those held in a project grant nothing in the organization.
 */
interface TestCaller {
  readonly name: string;
  readonly permissions: readonly Permission[] | null;
  readonly within: "organization" | "project";
}

const callers: TestCaller[] = [
  { name: "no key", permissions: null, within: "organization" },
  { name: "wrong key", permissions: null, within: "organization" },
  { name: "project key", permissions: projectMemberRole.permissions, within: "project" },
  { name: "owner's key", permissions: projectOwnerRole.permissions, within: "project" },
  { name: "none's key", permissions: [], within: "project" },
  { name: "member without a role", permissions: [], within: "organization" },
  { name: "member in a group of Readers", permissions: readerRole.permissions, within: "organization" },
  ...organizationRoles.flatMap(({ id, permissions }): TestCaller[] => [
    { name: id, permissions, within: "organization" },
    { name: `member, ${id}`, permissions, within: "organization" },
  ]),
  ...projectRoles.map(
    ({ id, permissions }): TestCaller => ({ name: `member, ${id}`, permissions, within: "project" }),
  ),
];

type Verdict = "401" | "403" | "let in";

/** Members use sessions. */
const kindOf = ({ name }: TestCaller): CallerKind => (name.startsWith("member") ? "person" : "key");

/** According to the published table. */
function expectedVerdict(operation: Operation, caller: TestCaller): Verdict {
  const { permissions, within } = caller;
  const { permission } = operation;
  const isOpenToAll = typeof permission === "object" && permission.open === "to everyone";
  if (permissions === null) return isOpenToAll ? "let in" : "401";
  const held = { resourceType: `api.${within}`, permissions } as const;
  return allows(held, operation, kindOf(caller)) ? "let in" : "403";
}

/**
 * Uses ids that don't exist and a body that fits no schema: an authorized caller gets a 400 or 404, and nothing
 * changes.
 */
async function askAs(
  caller: string,
  { method, path, body: taken }: Operation,
): Promise<{ verdict: Verdict; permission?: string }> {
  // An operation without body and object would be carried out, so it is called on a project that doesn't exist.
  const wouldBeDone = method !== "GET" && taken === undefined && !/\{project_id\}.*\{/.test(path);
  const filled = path
    .replace("{project_id}", wouldBeDone ? "proj_none" : gateway.projectId)
    .replace("{model_id}", "none")
    .replace(/\{\w+\}/g, "none_1");
  const body = method === "POST" ? { no_such_field: true } : undefined;
  const headers = { "openai-project": gateway.projectId };
  const key = keys.get(caller);
  const { status, error } = await send(gateway.baseUrl + filled, { method, key, body, headers });
  const isRefused = error.code === "invalid_api_key" || error.code === "missing_permission";
  if (isRefused) return { verdict: String(status) as Verdict, permission: error.permission ?? "" };
  expect(status).toBeLessThan(500);
  return { verdict: "let in" };
}

describe.each(operationTable.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  // For a member, signing out would be carried out.
  const signsOut = operation.id === "deleteCurrentSession";
  const asking = callers.filter(({ name }) => !(signsOut && name.startsWith("member")));
  test.each(asking)("asked by $name, answers as its permission says", async (caller) => {
    const expected = expectedVerdict(operation, caller);
    const { verdict, permission } = await askAs(caller.name, operation);
    expect(verdict).toBe(expected);
    if (expected === "403")
      expect(permission).toBe(findNeededPermission(operation, kindOf(caller)) as string);
  });
});

test.each([
  ["project key", projectMemberRole],
  ["owner's key", projectOwnerRole],
])("a %s finds none of another project's objects, by any operation", async (name, role) => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name });
  const inProject = operationTable.filter(({ scope }) => scope === "project");
  expect(inProject.length).toBeGreaterThan(5);
  for (const { method, path, permission } of inProject) {
    const filled = path.replace("{project_id}", id).replace(/\{\w+\}/g, "sandbox-echo");
    const body = method === "POST" ? { max_requests_per_1_minute: 1 } : undefined;
    const { status } = await send(gateway.baseUrl + filled, { method, key: keys.get(name), body });
    const holds = role.permissions.some((held) => held === permission);
    expect([path, status]).toEqual([path, holds ? 404 : 403]);
  }
});

test("an owner of one project is refused by every operation in another", async () => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  for (const { method, path } of operationTable.filter(({ scope }) => scope === "project")) {
    const filled = path.replace("{project_id}", id).replace(/\{\w+\}/g, "none_1");
    const key = keys.get(`member, ${projectOwnerRole.id}`);
    const body = method === "POST" ? { no_such_field: true } : undefined;
    const { status, error } = await send(gateway.baseUrl + filled, { method, key, body });
    expect([path, status, error.code]).toEqual([path, 403, "missing_permission"]);
  }
});

test("a session may do what its key may, until it ends", async () => {
  const [address, key] = [`${gateway.baseUrl}/organization/sessions`, keys.get("role_reader")];
  const { body } = await send(address, { method: "POST", body: { key } });
  const token = String(body.token);
  const roles = `${gateway.baseUrl}/organization/roles`;
  expect((await send(roles, { key: token })).status).toBe(200);
  const draft = { role_name: "Mine", permissions: ["api.roles.read"] };
  expect((await send(roles, { method: "POST", key: token, body: draft })).status).toBe(403);
  expect((await send(`${address}/current`, { method: "DELETE", key: token })).status).toBe(200);
  expect((await send(roles, { key: token })).status).toBe(401);
});
