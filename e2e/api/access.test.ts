import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { predefinedRoles, projectMemberRole, projectOwnerRole } from "@/lib/contract/predefined-roles";
import { newSecretKey } from "@/lib/contract/secret-keys";
import { createRoleKey } from "../support/create-role-key";
import { send } from "../support/send";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";

const organizationRoles = predefinedRoles.filter(({ resourceType }) => resourceType === "api.organization");
const keys = new Map<string, string>();
let gateway: ServedGateway;

beforeAll(async () => {
  gateway = await serveGateway();
  await gateway.restart(async () => {
    for (const { id } of organizationRoles) keys.set(id, await createRoleKey(gateway.dataFolder, id));
  });
  keys.set("project key", gateway.key);
  for (const role of ["owner", "none"] as const) keys.set(`${role}'s key`, await createAccountKey(role));
  keys.set(
    "wrong key",
    newSecretKey("gk_admin_", (bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
  );
});
afterAll(async () => {
  expect(gateway.faults).toEqual([]);
  await gateway.close();
});

/** The key of a service account with a role in the project. */
async function createAccountKey(role: "owner" | "none"): Promise<string> {
  const accounts = `/organization/projects/${gateway.projectId}/service_accounts`;
  const draft = { name: role, create_service_account_only: true };
  const { id } = await gateway.admin<{ id: string }>("POST", accounts, draft);
  if (role === "owner") await gateway.admin("POST", `${accounts}/${id}`, { role });
  return (await gateway.admin<{ value: string }>("POST", `${accounts}/${id}/api_keys`, {})).value;
}

const callers = [
  { name: "no key", permissions: null },
  { name: "wrong key", permissions: null },
  { name: "project key", permissions: projectMemberRole.permissions },
  { name: "owner's key", permissions: projectOwnerRole.permissions },
  { name: "none's key", permissions: [] },
  ...organizationRoles.map(({ id, permissions }) => ({ name: id, permissions })),
];

type Verdict = "401" | "403" | "let in";

function expectedVerdict({ permission }: Operation, held: readonly string[] | null): Verdict {
  if (typeof permission === "object" && permission.open === "to everyone") return "let in";
  if (held === null) return "401";
  return typeof permission === "object" || held.includes(permission) ? "let in" : "403";
}

/** Asks with objects that aren't there and a body that fits nothing: who is let in learns it by a 400 or 404, and changes nothing. */
async function askAs(
  caller: string,
  { method, path, body: taken }: Operation,
): Promise<{ verdict: Verdict; permission?: string }> {
  // What takes no body and no further object would be done: it is asked of a project that isn't there.
  const wouldBeDone = method !== "GET" && taken === undefined && !/\{project_id\}.*\{/.test(path);
  const filled = path
    .replace("{project_id}", wouldBeDone ? "proj_none" : gateway.projectId)
    .replace("{model_id}", "none")
    .replace(/\{\w+\}/g, "none_1");
  const body = method === "POST" ? { no_such_field: true } : undefined;
  const { status, error } = await send(gateway.baseUrl + filled, { method, key: keys.get(caller), body });
  const isRefused = error.code === "invalid_api_key" || error.code === "missing_permission";
  if (isRefused) return { verdict: String(status) as Verdict, permission: error.permission ?? "" };
  expect(status).toBeLessThan(500);
  return { verdict: "let in" };
}

describe.each(operationTable.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test.each(callers)("asked by $name, answers as its permission says", async ({ name, permissions }) => {
    const expected = expectedVerdict(operation, permissions);
    const { verdict, permission } = await askAs(name, operation);
    expect(verdict).toBe(expected);
    if (expected === "403") expect(permission).toBe(operation.permission as string);
  });
});

test.each([
  ["project key", projectMemberRole],
  ["owner's key", projectOwnerRole],
])("a %s finds none of another project's objects, by any operation", async (name, role) => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const inProject = operationTable.filter(({ path }) => path.includes("{project_id}"));
  expect(inProject.length).toBeGreaterThan(5);
  for (const { method, path, permission } of inProject) {
    const filled = path.replace("{project_id}", id).replace(/\{\w+\}/g, "sandbox-echo");
    const body = method === "POST" ? { max_requests_per_1_minute: 1 } : undefined;
    const { status } = await send(gateway.baseUrl + filled, { method, key: keys.get(name), body });
    const holds = role.permissions.some((held) => held === permission);
    expect([path, status]).toEqual([path, holds ? 404 : 403]);
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
