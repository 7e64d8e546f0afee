import { expect, test } from "bun:test";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import type { Me } from "@/lib/contract/operations/sign-in/sessions";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember, type Member } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
let ada: Member;
let tester: Member;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    const { dataFolder, runtime, projectId } = gateway;
    const held = [{ roleId: projectMemberRole.id, projectId }];
    ada = await createMember(dataFolder, "ada", held, runtime);
    const both = [...held, { roleId: "role_finance", projectId: null }];
    tester = await createMember(dataFolder, "tester", both, runtime);
  });
});

async function readMe(key: string): Promise<Me> {
  return (await send(`${gateway.baseUrl}/organization/me`, { key })).body as Me;
}

test("a member reads their identity and their permissions in each project", async () => {
  const me = await readMe(ada.token);
  expect(me).toMatchObject({ kind: "session", user: { id: ada.id, email: "ada@example.com" } });
  expect(me.permissions).toEqual([]);
  expect(me.project_permissions.map(({ project_id }) => project_id)).toEqual([gateway.projectId]);
  const [inProject] = me.project_permissions;
  expect(inProject?.permissions.toSorted()).toEqual([...projectMemberRole.permissions].toSorted());
});

test("in a project the organization's permissions are held too", async () => {
  const { permissions, project_permissions } = await readMe(tester.token);
  expect(permissions).toContain("api.payments.write");
  expect(project_permissions[0]?.permissions).toEqual(
    expect.arrayContaining([...permissions, "api.playground.write"]),
  );
});

test("a key is not a member, and a project key has permissions in its project alone", async () => {
  expect(await readMe(gateway.adminKey)).toMatchObject({ user: null, project_permissions: [] });
  const { projectId } = gateway;
  const { user, permissions, project_permissions } = await readMe(gateway.key);
  expect(user).toBeNull();
  expect(project_permissions).toEqual([{ project_id: projectId, permissions }]);
});

test("a caller who may call models only in a project is asked to name it", async () => {
  const body = { model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] };
  const call = (headers: Record<string, string>) =>
    send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key: ada.token, body, headers });
  const { status, error } = await call({});
  expect([status, error.code, error.param]).toEqual([403, "missing_permission", "OpenAI-Project"]);
  expect(error.message).toContain("header OpenAI-Project");
  expect((await call({ "OpenAI-Project": gateway.projectId })).status).toBe(200);
  const elsewhere = await call({ "OpenAI-Project": "proj_other" });
  expect([elsewhere.status, elsewhere.error.param]).toEqual([403, null]);
});
