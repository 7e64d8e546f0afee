import { expect, test } from "bun:test";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { listRunAsEvents } from "../../support/clients/list-run-as-events";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
let other: string;
const tokens: Record<string, string> = {};
const keys: Record<string, { id: string; value: string }> = {};

type Made = { id: string; value: string };

/** Its holders may preview a call as any role, but may not read the balance. */
const previewer = { name: "previewer", permissions: ["api.roles.read", "api.playground.write"] };

serveForAll(async (served) => {
  gateway = served;
  other = (await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" })).id;
  const previewerRole = await gateway.admin<{ id: string }>("POST", "/organization/roles", {
    role_name: previewer.name,
    permissions: previewer.permissions,
  });
  await gateway.restart(async () => {
    const { dataFolder, runtime } = gateway;
    for (const { id, resourceType } of predefinedRoles) {
      const projectId = resourceType === "api.project" ? gateway.projectId : null;
      tokens[id] = (await createMember(dataFolder, id, [{ roleId: id, projectId }], runtime)).token;
    }
    const both = ["role_project_owner", "role_prompt_tester"].map((roleId) => ({
      roleId,
      projectId: roleId === "role_prompt_tester" ? null : gateway.projectId,
    }));
    tokens.lead = (await createMember(dataFolder, "lead", both, runtime)).token;
    const narrow = [{ roleId: previewerRole.id, projectId: null }];
    tokens.previewer = (await createMember(dataFolder, "previewer", narrow, runtime)).token;
  });
  const create = (name: string, projectId: string, limits: object = {}) =>
    gateway.admin<Made>("POST", `/organization/projects/${projectId}/api_keys`, { name, ...limits });
  keys.plain = await create("plain", gateway.projectId);
  keys.narrow = await create("narrow", gateway.projectId, { models: ["sandbox-echo"] });
  keys.elsewhere = await create("elsewhere", other);
});

const findId = (name: string) => keys[name]?.id ?? "";

async function ask(who: string, as: string, { preview = false, model = "sandbox-echo", project = "" } = {}) {
  const response = await fetchWithKey(`${gateway.baseUrl}/chat/completions${preview ? "/preview" : ""}`, {
    key: tokens[who] ?? who,
    body: { model, messages: [{ role: "user", content: "Say three words" }] },
    headers: { "openai-project": project || gateway.projectId, "x-gatehouse-run-as": as },
  });
  const { headers, status } = response;
  return { status, requestId: headers.get("x-request-id"), json: await response.json() };
}

const get = async (who: string, path: string) => {
  const response = await fetchWithKey(`${gateway.baseUrl}${path}`, { key: tokens[who] ?? who });
  return { status: response.status, json: await response.json() };
};

test("a call as a key counts for it and its project, and names who ran it in the receipt and in the audit log", async () => {
  const made = await ask("lead", findId("plain"));
  expect(made.status).toBe(200);
  expect(JSON.stringify(made.json)).not.toContain(keys.plain?.value ?? "gk_");
  const receipt = await readReceipt(gateway, made.requestId);
  expect(receipt.key).toMatchObject({ id: findId("plain"), name: "plain" });
  expect(receipt.client).toMatchObject({ run_by: { name: "lead" } });
  const events = await listRunAsEvents(gateway);
  expect(events).toHaveLength(1);
  expect(JSON.stringify(events[0])).toContain(findId("plain"));
  expect(JSON.stringify(events[0]?.actor)).toContain("lead");
  expect((await get("lead", `/organization/me/charges/${made.requestId}`)).status).toBe(200);
  expect((await get("lead", `/organization/me/requests/${made.requestId}`)).status).toBe(200);
  expect((await get("role_prompt_tester", `/organization/me/charges/${made.requestId}`)).status).toBe(404);
});

test("a key's scopes apply to everyone who runs as it", async () => {
  const refused = await ask("lead", findId("narrow"), { model: "sandbox-chat" });
  expect([refused.status, refused.json.error.code]).toEqual([403, "outside_key_scope"]);
  const previewed = await ask("lead", findId("narrow"), { model: "sandbox-chat", preview: true });
  expect([previewed.status, previewed.json.error.code]).toEqual([403, "outside_key_scope"]);
  expect((await ask("lead", findId("narrow"))).status).toBe(200);
});

test("tokens of a message are counted as a key for messages, and not as a key for chats", async () => {
  const create = (endpoint: string) =>
    gateway.admin<Made>("POST", `/organization/projects/${gateway.projectId}/api_keys`, {
      name: endpoint,
      endpoints: [endpoint],
    });
  const count = async (key: Made) => {
    const response = await fetchWithKey(`${gateway.baseUrl}/messages/count_tokens`, {
      key: tokens.lead,
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "one two" }] },
      headers: { "openai-project": gateway.projectId, "x-gatehouse-run-as": key.id },
    });
    return response.status;
  };
  expect([await count(await create("messages")), await count(await create("chat_completions"))]).toEqual([
    200, 403,
  ]);
});

test("running as a key requires the permissions to issue it, in its project, with any role", async () => {
  const verdicts: Record<string, number> = {};
  for (const { id } of predefinedRoles) verdicts[id] = (await ask(id, findId("plain"))).status;
  const mayBoth = predefinedRoles
    .filter(({ permissions }) => {
      const needed = [
        "api.playground.write",
        "api.project_api_keys.write",
        "api.project_api_keys.read",
      ] as const;
      return (
        needed.every((one) => permissions.includes(one)) && permissions.includes("api.completions.write")
      );
    })
    .map(({ id }) => id);
  expect(mayBoth.length).toBeGreaterThan(0);
  for (const { id } of predefinedRoles)
    expect([id, verdicts[id] === 200]).toEqual([id, mayBoth.includes(id)]);
  expect((await ask("lead", findId("elsewhere"), { project: other })).status).toBe(404);
  expect((await ask(gateway.adminKey, findId("elsewhere"))).status).toBe(400);
  expect((await ask(gateway.adminKey, findId("elsewhere"), { project: other })).status).toBe(200);
});

test("a program's key can't run as another, a revoked key answers as none, and nothing is logged of either", async () => {
  const before = await listRunAsEvents(gateway);
  expect((await ask(keys.plain?.value ?? "", findId("narrow"))).status).toBe(400);
  const gone = await gateway.admin<Made>("POST", `/organization/projects/${other}/api_keys`, {
    name: "gone",
  });
  const path = `/organization/projects/${other}/api_keys/${gone.id}`;
  await fetchWithKey(`${gateway.baseUrl}${path}`, { method: "DELETE", key: gateway.adminKey });
  expect((await ask(gateway.adminKey, gone.id, { project: other })).status).toBe(404);
  expect((await ask("lead", "key_none")).status).toBe(404);
  expect(await listRunAsEvents(gateway)).toEqual(before);
});

test("a preview as a role shows the outcome of the call, and sends nothing", async () => {
  const before = await listCalls();
  const viewer = await ask("role_owner", "role_project_viewer", { preview: true });
  expect([viewer.status, viewer.json.error.code]).toEqual([403, "missing_permission"]);
  const tester = await ask("role_owner", "role_prompt_tester", { preview: true });
  expect(tester.json).toMatchObject({ object: "chat.completion.preview", refusal: null });
  expect((await ask("role_owner", "role_prompt_tester")).status).toBe(400);
  expect((await ask("role_owner", "role_none", { preview: true })).status).toBe(404);
  expect((await ask("role_prompt_tester", "role_owner", { preview: true })).status).toBe(404);
  expect(await listCalls()).toEqual(before);
});

test("a refused preview as a role shows the balance only if both the role and the person may read it", async () => {
  const model = "sandbox-chat";
  const unpayable = { input_per_1m: "1", output_per_1m: "900000000" };
  await gateway.admin("POST", `/organization/models/${model}`, { price: unpayable, rate: "0.5" });
  const readAvailable = async (who: string, as: string) => {
    const { refusal } = (await ask(who, as, { preview: true, model })).json;
    expect(refusal).toMatchObject({ status: 402, code: "insufficient_balance" });
    return refusal.balance?.available;
  };
  const { available } = await gateway.admin<{ available: string }>("GET", "/organization/balance");
  expect(await readAvailable("role_owner", "role_owner")).toBe(available);
  expect(await readAvailable("role_owner", "role_prompt_tester")).toBeUndefined();
  expect(await readAvailable("previewer", "role_owner")).toBeUndefined();
});

/** The ids of all calls in the log, also of those that were refused. */
async function listCalls(): Promise<string[]> {
  const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/requests?limit=100");
  return data.map(({ id }) => id);
}

test("an idempotency key of a person's call belongs to the key that it runs as", async () => {
  const call = async (as: string | null) => {
    const response = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: tokens.role_owner ?? "",
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "Once" }] },
      headers: {
        "openai-project": gateway.projectId,
        "idempotency-key": "the-same",
        ...(as && { "x-gatehouse-run-as": as }),
      },
    });
    return [response.status, response.headers.get("idempotency-replayed")];
  };
  for (const as of [findId("plain"), findId("narrow"), null]) {
    expect([as, ...(await call(as))]).toEqual([as, 200, null]);
    expect([as, ...(await call(as))]).toEqual([as, 200, "true"]);
  }
});
