import { expect, test } from "bun:test";
import type { RoleHolder } from "@/lib/contract/operations/people/roles";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember, type Member } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
let ada: Member;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    const { dataFolder, runtime, projectId } = gateway;
    const held = [
      { roleId: "role_reader", projectId: null },
      { roleId: "role_project_owner", projectId },
    ];
    ada = await createMember(dataFolder, "ada", held, runtime);
  });
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/groups", { name: "Readers" });
  await gateway.admin("POST", `/organization/groups/${id}/roles`, { role_id: "role_reader" });
});

async function listHolders(role: string) {
  const { data } = await gateway.admin<{ data: RoleHolder[] }>(
    "GET",
    `/organization/role_holders?role_id=${role}`,
  );
  return data.map(({ holder: { type, name }, project_id }) => ({ type, name, project_id }));
}

test("a role names the members, groups and admin keys that hold it, and where", async () => {
  expect(await listHolders("role_reader")).toEqual([
    { type: "group", name: "Readers", project_id: null },
    { type: "user", name: "ada", project_id: null },
  ]);
  expect(await listHolders("role_project_owner")).toEqual([
    { type: "user", name: "ada", project_id: gateway.projectId },
  ]);
  expect(await listHolders("role_owner")).toMatchObject([{ type: "admin_key" }]);
  expect(await listHolders("role_finance")).toEqual([]);
});

test("all holders come page by page, each once", async () => {
  const seen: RoleHolder[] = [];
  let after = "";
  do {
    const page = await gateway.admin<{ data: RoleHolder[]; next: string | null }>(
      "GET",
      `/organization/role_holders?limit=1${after && `&after=${encodeURIComponent(after)}`}`,
    );
    seen.push(...page.data);
    after = page.next ?? "";
  } while (after);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(4);
  expect(seen).toHaveLength(4);
});

test("an unknown role is a 404, and a member who may not read assignments is refused", async () => {
  const address = `${gateway.baseUrl}/organization/role_holders`;
  const unknown = await send(`${address}?role_id=role_none`, { key: gateway.adminKey });
  expect([unknown.status, unknown.error.param]).toEqual([404, "role_id"]);
  expect((await send(address, { key: gateway.key })).status).toBe(403);
  expect((await send(address, { key: ada.token })).status).toBe(200);
});
