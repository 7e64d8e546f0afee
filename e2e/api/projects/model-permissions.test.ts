import { expect, test } from "bun:test";
import type OpenAI from "openai";
import { catchRefusal, expectRefusals, officialClient } from "../../support/clients/official-client";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let modelPermissions: OpenAI["admin"]["organization"]["projects"]["modelPermissions"];

serveForAll((served) => {
  gateway = served;
  modelPermissions = createClient(gateway.adminKey).admin.organization.projects.modelPermissions;
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

function ask(model: string) {
  const messages = [{ role: "user" as const, content: "hello" }];
  return createClient(gateway.key).chat.completions.create({ model, messages });
}

async function listed(headers: Record<string, string> = {}, key = gateway.key): Promise<string[]> {
  const { data } = await createClient(key).models.list({ headers });
  return data.map(({ id }) => id);
}

const notAllowed = { status: 403, type: "permission_error", code: "model_not_allowed", param: "model" };

test("a project calls and sees only what its permissions let it, from the next call on and after a restart", async () => {
  const { projectId } = gateway;
  expect(await catchRefusal(modelPermissions.retrieve(projectId))).toMatchObject({ status: 404 });
  const everything = await listed();

  const allowed = { mode: "allow_list" as const, model_ids: ["sandbox-chat", "sandbox-chat"] };
  const saved = {
    object: "project.model_permissions",
    mode: "allow_list",
    model_ids: ["sandbox-chat"],
    version: expect.any(String),
  };
  expect<unknown>(await modelPermissions.update(projectId, allowed)).toEqual(saved);
  expect<unknown>(await modelPermissions.retrieve(projectId)).toEqual(saved);
  expect((await ask("sandbox-chat")).choices.length).toBe(1);
  expect(await catchRefusal(ask("sandbox-echo"))).toMatchObject(notAllowed);
  const message = await send(`${gateway.baseUrl}/messages`, {
    method: "POST",
    key: gateway.key,
    headers: { "anthropic-version": "2023-06-01" },
    body: { model: "sandbox-echo", max_tokens: 9, messages: [{ role: "user", content: "hello" }] },
  });
  expect(message).toMatchObject({ status: 403, error: { code: "model_not_allowed" } });
  expect(await listed()).toEqual(["sandbox-chat"]);
  expect(await catchRefusal(createClient(gateway.key).models.retrieve("sandbox-echo"))).toMatchObject({
    status: 404,
    code: "model_not_found",
  });
  expect(await listed({}, gateway.adminKey)).toEqual(everything);
  expect(await listed({ "openai-project": projectId }, gateway.adminKey)).toEqual(["sandbox-chat"]);

  await gateway.restart();
  expect(await catchRefusal(ask("sandbox-echo"))).toMatchObject(notAllowed);
  await modelPermissions.update(projectId, { mode: "deny_list", model_ids: ["sandbox-chat"] });
  expect((await ask("sandbox-echo")).choices.length).toBe(1);
  expect(await catchRefusal(ask("sandbox-chat"))).toMatchObject(notAllowed);
  expect(await listed()).toEqual(everything.filter((id) => id !== "sandbox-chat"));
  await modelPermissions.update(projectId, { mode: "allow_list", model_ids: [] });
  expect(await listed()).toEqual([]);

  expect(await modelPermissions.delete(projectId)).toEqual({
    object: "project.model_permissions.deleted",
    deleted: true,
  });
  expect((await ask("sandbox-chat")).choices.length).toBe(1);
  expect(await catchRefusal(modelPermissions.delete(projectId))).toMatchObject({ status: 404 });
  await gateway.restart();
  expect(await listed()).toEqual(everything);
});

test("refuses invalid model permissions with the reason", async () => {
  const { projects } = createClient(gateway.adminKey).admin.organization;
  const archived = await projects.create({ name: "Archived" });
  await projects.archive(archived.id);
  const allowed = { mode: "allow_list" as const, model_ids: ["sandbox-chat"] };
  const { projectId } = gateway;
  const own = createClient(gateway.key).admin.organization.projects.modelPermissions;
  const nobody = createClient("gk_live_no").admin.organization.projects.modelPermissions;
  const cases: [PromiseLike<unknown>, object][] = [
    [
      modelPermissions.update(projectId, { ...allowed, model_ids: ["sandbox-chat", "gpt-none"] }),
      { status: 400, param: "model_ids.1" },
    ],
    [
      modelPermissions.update(projectId, { mode: "allow_list" } as never),
      { status: 400, param: "model_ids" },
    ],
    [
      modelPermissions.update(projectId, { ...allowed, mode: "list" } as never),
      { status: 400, param: "mode" },
    ],
    [nobody.retrieve(projectId), { status: 401 }],
    [own.update(projectId, allowed), { status: 403, code: "missing_permission" }],
    [own.delete(projectId), { status: 403 }],
    [own.retrieve(archived.id), { status: 404, param: "project_id" }],
    [modelPermissions.update("proj_none", allowed), { status: 404, param: "project_id" }],
    [modelPermissions.update(archived.id, allowed), { status: 409, code: "project_archived" }],
  ];
  await expectRefusals(cases);
  expect((await ask("sandbox-echo")).choices.length).toBe(1);
});
