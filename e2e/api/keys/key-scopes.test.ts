import { expect, test } from "bun:test";
import { HOUR_MS, HOUR_S, MINUTE_MS } from "@/lib/contract/durations";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let keys: string;

serveForAll((served) => {
  gateway = served;
  keys = `/organization/projects/${gateway.projectId}/api_keys`;
});

type Key = { id: string; value: string; expires_at: number | null; created_at: number; rotated_from: string };
const create = (draft: object) => gateway.admin<Key>("POST", keys, { name: "Limited", ...draft });
const post = (path: string, key: string, body: object) =>
  send(`${gateway.baseUrl}${path}`, { method: "POST", key, body });
const messages = [{ role: "user", content: "hello" }];
const ask = (key: string, model = "sandbox-echo") => post("/chat/completions", key, { model, messages });
const listModels = async (key: string) => {
  const { body } = await send(`${gateway.baseUrl}/models`, { key });
  return (body.data as { id: string }[]).map(({ id }) => id);
};

test("a key limited to models can call only those, at every endpoint, and can list them", async () => {
  const { value } = await create({ models: ["sandbox-chat", "sandbox-echo"] });
  expect((await ask(value)).status).toBe(200);
  const refused = {
    status: 403,
    error: {
      code: "outside_key_scope",
      param: "model",
      message: 'This key may not call "sandbox-slow": it is limited to "sandbox-chat", "sandbox-echo".',
    },
  };
  expect(await ask(value, "sandbox-slow")).toMatchObject(refused);
  const message = { model: "sandbox-slow", max_tokens: 5, messages };
  expect(await post("/messages", value, message)).toMatchObject(refused);
  const counted = { model: "sandbox-slow", messages };
  expect(await post("/messages/count_tokens", value, counted)).toMatchObject(refused);
  expect((await listModels(value)).toSorted()).toEqual(["sandbox-chat", "sandbox-echo"]);
});

test("a key limited to endpoints can call only those, and nothing else of the API", async () => {
  const { value } = await create({ endpoints: ["messages"] });
  const message = { model: "sandbox-echo", max_tokens: 5, messages };
  expect((await post("/messages", value, message)).status).toBe(200);
  expect((await post("/messages/count_tokens", value, { model: "sandbox-echo", messages })).status).toBe(200);
  expect(await ask(value)).toMatchObject({
    status: 403,
    error: {
      code: "outside_key_scope",
      message: "This key is limited to messages: it may not call /chat/completions.",
    },
  });
  expect((await listModels(value)).length).toBeGreaterThan(2);
});

test("an owner's key that is limited can't make itself a key without the limit", async () => {
  const accounts = `/organization/projects/${gateway.projectId}/service_accounts`;
  const account = await gateway.admin<{ id: string; api_key: Key }>("POST", accounts, { name: "Robot" });
  await gateway.admin("POST", `${accounts}/${account.id}`, { role: "owner" });
  const { value, id } = account.api_key;
  const make = () => post(keys, value, { name: "Wide" });
  expect((await make()).status).toBe(200);
  await gateway.admin("POST", `${keys}/${id}`, { models: ["sandbox-echo"] });
  expect(await make()).toMatchObject({ status: 403, error: { code: "outside_key_scope" } });
  expect(await post(`${keys}/${id}`, value, { models: null })).toMatchObject({ status: 403 });
  expect((await ask(value)).status).toBe(200);
});

test("a service account's keys are limited where they are made, and a limit of no key is refused", async () => {
  const accounts = `/organization/projects/${gateway.projectId}/service_accounts`;
  const draft = { name: "Limited robot", models: ["sandbox-echo"] };
  const account = await gateway.admin<{ id: string; api_key: Key }>("POST", accounts, draft);
  const further = await gateway.admin<Key>("POST", `${accounts}/${account.id}/api_keys`, {
    endpoints: ["messages"],
  });
  expect((await ask(account.api_key.value)).status).toBe(200);
  expect(await ask(account.api_key.value, "sandbox-chat")).toMatchObject({
    status: 403,
    error: { code: "outside_key_scope", param: "model" },
  });
  expect(await ask(further.value)).toMatchObject({ status: 403, error: { code: "outside_key_scope" } });
  const unknown = { name: "Wrong", models: ["sandbox-echo", "none-such"] };
  for (const path of [accounts, `${accounts}/${account.id}/api_keys`]) {
    expect(await post(path, gateway.adminKey, unknown)).toMatchObject({
      status: 400,
      error: { param: "models.1" },
    });
  }
  const bare = { name: "Bare", create_service_account_only: true, endpoints: ["messages"] };
  expect(await post(accounts, gateway.adminKey, bare)).toMatchObject({
    status: 400,
    error: { param: "endpoints" },
  });
});

test("a scope counts from the next call on, outlives a restart, and is lifted with null", async () => {
  const { id, value } = await create({});
  const change = (scope: object) => gateway.admin<Key>("POST", `${keys}/${id}`, scope);
  expect((await ask(value)).status).toBe(200);
  expect(await change({ models: ["sandbox-chat"] })).toMatchObject({
    models: ["sandbox-chat"],
    endpoints: null,
  });
  expect((await ask(value)).status).toBe(403);
  await gateway.restart();
  expect((await ask(value)).status).toBe(403);
  expect(await change({ endpoints: ["messages"] })).toMatchObject({ models: ["sandbox-chat"] });
  await change({ models: null, endpoints: null });
  expect((await ask(value)).status).toBe(200);
});

test("a scope that names nothing, an unknown model or endpoint is refused by name and changes nothing", async () => {
  const { id } = await create({ models: ["sandbox-echo"] });
  for (const [scope, param] of [
    [{ models: [] }, "models"],
    [{ models: ["no-such-model"] }, "models.0"],
    [{ endpoints: ["everything"] }, "endpoints.0"],
    [{ endpoints: [] }, "endpoints"],
  ] as const) {
    expect(await post(`${keys}/${id}`, gateway.adminKey, scope)).toMatchObject({
      status: 400,
      error: { param },
    });
  }
  expect(await gateway.admin<Key>("GET", `${keys}/${id}`)).toMatchObject({ models: ["sandbox-echo"] });
});

test("a key shows who created it", async () => {
  expect(await create({})).toMatchObject({ created_by: { type: "admin_api_key" }, rotated_from: null });
});

test("a rotated key works beside the new one for the requested overlap, and then only the new one works", async () => {
  const old = await create({ models: ["sandbox-echo"], expires_in_seconds: 1_000 });
  const rotated = await gateway.admin<Key>("POST", `${keys}/${old.id}/rotate`, { overlap_seconds: 60 });
  expect(rotated).toMatchObject({ name: "Limited", models: ["sandbox-echo"], rotated_from: old.id });
  expect(rotated.expires_at).toBe(rotated.created_at + 1_000);
  gateway.pass(59_000);
  expect((await ask(old.value)).status).toBe(200);
  expect((await ask(rotated.value)).status).toBe(200);
  gateway.pass(1_000);
  expect((await ask(old.value)).status).toBe(401);
  expect((await ask(rotated.value)).status).toBe(200);
  expect((await ask(rotated.value, "sandbox-slow")).status).toBe(403);

  const again = await gateway.admin<Key>("POST", `${keys}/${rotated.id}/rotate`, { overlap_seconds: 0 });
  expect((await ask(rotated.value)).status).toBe(401);
  expect((await ask(again.value)).status).toBe(200);
  expect(await post(`${keys}/${old.id}/rotate`, gateway.adminKey, { overlap_seconds: 60 })).toMatchObject({
    status: 409,
    error: { code: "key_expired" },
  });
  expect(await post(`${keys}/${again.id}/rotate`, gateway.adminKey, { overlap_seconds: -1 })).toMatchObject({
    status: 400,
    error: { param: "overlap_seconds" },
  });
});

test("a key that is rotated once more during its overlap passes on its lifetime, not the overlap", async () => {
  for (const lifetime of [undefined, 1_000]) {
    const old = await create({ expires_in_seconds: lifetime });
    for (const made of [old, old]) {
      const rotated = await gateway.admin<Key>("POST", `${keys}/${made.id}/rotate`, { overlap_seconds: 60 });
      expect(rotated.expires_at).toBe(lifetime === undefined ? null : rotated.created_at + lifetime);
      gateway.pass(1_000);
    }
  }
});

test("an overlap never lets a key live longer than it would have", async () => {
  const old = await create({ expires_in_seconds: 10 });
  await gateway.admin("POST", `${keys}/${old.id}/rotate`, { overlap_seconds: 600 });
  expect((await gateway.admin<Key>("GET", `${keys}/${old.id}`)).expires_at).toBe(old.created_at + 10);
});

test("a leaked key can be looked up by its value: its owner, and whether it still works", async () => {
  const find = (value: string, by = gateway.adminKey) => post("/organization/find_api_key", by, { value });
  const { id, value } = await create({ expires_in_seconds: 60 });
  const found = (status: string) => ({
    status: 200,
    body: { status, project_api_key: { id }, project: { id: gateway.projectId }, admin_api_key: null },
  });
  expect(await find(`  ${value}\n`)).toMatchObject(found("active"));
  expect(JSON.stringify((await find(value)).body)).not.toContain(value);
  gateway.pass(MINUTE_MS);
  expect(await find(value)).toMatchObject(found("expired"));
  await send(`${gateway.baseUrl}${keys}/${id}`, { method: "DELETE", key: gateway.adminKey });
  expect(await find(value)).toMatchObject(found("revoked"));
  expect(await find(gateway.adminKey)).toMatchObject({ status: 200, body: { project_api_key: null } });
  const wrong = `${value.slice(0, -1)}x`;
  const none = await find(wrong);
  expect(none).toMatchObject({ status: 404, error: { param: "value" } });
  expect(JSON.stringify(none.body)).not.toContain(wrong);

  const { id: roleId } = await gateway.admin<{ id: string }>("POST", "/organization/roles", {
    role_name: "Key reader",
    permissions: ["api.project_api_keys.read"],
  });
  const reader = await gateway.admin<Key>("POST", "/organization/admin_api_keys", {
    name: "R",
    role: roleId,
  });
  expect((await find(value, reader.value)).status).toBe(200);
  expect((await find(gateway.adminKey, reader.value)).status).toBe(404);
  expect((await find(value, gateway.key)).status).toBe(403);
});

test("a limited key follows and ends the tasks that it has begun, also under the key it was rotated from, and no others", async () => {
  const image = { model: "sandbox-image", prompt: "a lighthouse", sandbox: { takes_ms: HOUR_MS } };
  const begin = async (key: string) => String((await post("/chat/completions", key, image)).body.id);
  const listTasks = async (key: string) => {
    const { body } = await send(`${gateway.baseUrl}/tasks`, { key });
    return (body.data as { id: string }[]).map(({ id }) => id).toSorted();
  };
  const limited = await create({ models: ["sandbox-image"] });
  const [own, others] = [await begin(limited.value), await begin(gateway.key)];
  const rotated = await gateway.admin<Key>("POST", `${keys}/${limited.id}/rotate`, {
    overlap_seconds: HOUR_S,
  });
  const later = await begin(rotated.value);
  expect(await listTasks(limited.value)).toEqual([own]);
  expect(await listTasks(rotated.value)).toEqual([own, later].toSorted());
  expect(await listTasks(gateway.key)).toEqual([own, others, later].toSorted());
  const ways: [string, object?][] = [
    [""],
    ["/events"],
    ["/output/0"],
    ["/callback"],
    ["/cancel", {}],
    ["/callback/send", {}],
  ];
  for (const [way, body] of ways) {
    const asked = { key: rotated.value, ...(body && { method: "POST" as const, body }) };
    const { status } = await send(`${gateway.baseUrl}/tasks/${others}${way}`, asked);
    expect([way, status]).toEqual([way, 404]);
  }
  expect((await post(`/tasks/${own}/cancel`, rotated.value, {})).status).toBe(200);
});
