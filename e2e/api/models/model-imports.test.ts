import { afterEach, beforeEach, expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
beforeEach(async () => {
  gateway = await serveGateway({ isExpectedFault: () => true });
});
afterEach(() => gateway.close());

type Reply = {
  status: number;
  error?: { code: string; param: string; message: string };
  body: Record<string, unknown>;
};
const ask = (method: "GET" | "POST", path: string, body?: object, key = gateway.adminKey) =>
  send(`${gateway.baseUrl}${path}`, { method, key, ...(body && { body }) }) as Promise<Reply>;

const provider = {
  id: "near",
  kind: "openai",
  preset: "openai",
  base_url: "http://127.0.0.1:9/v1",
  api_key: "sk-x",
};
const price = { input_per_1m: "1", output_per_1m: "2" };
const chat = (name: string, more: object = {}) => ({ model: name, id: name, family: "chat", price, ...more });
const importing = (body: object) => ask("POST", "/organization/model_imports", { rate: "1", ...body });
const listIds = async () =>
  (
    await gateway.admin<{ data: OrganizationModel[] }>("GET", "/organization/models?sandbox=false&limit=100")
  ).data.map(({ id }) => id);
const visible = async () =>
  ((await ask("GET", "/models", undefined, gateway.key)).body.data as { id: string }[]).map(({ id }) => id);

test("a provider and its models are added at once, at one rate, and no project may call them until somebody says so", async () => {
  const { status, body } = await importing({
    provider,
    rate: "1.25",
    models: [
      chat("gpt-5", { context_window: 400_000, input_modalities: ["text", "image"] }),
      chat("gpt-5-mini", { rate: "2" }),
    ],
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: "organization.model_import", provider_id: "near" });
  expect(body.models).toMatchObject([
    {
      id: "gpt-5",
      rate: "1.25",
      projects: [],
      context_window: 400_000,
      routes: [{ provider: "near", model: "gpt-5" }],
    },
    { id: "gpt-5-mini", rate: "2.00", projects: [] },
  ]);
  expect(await visible()).not.toContain("gpt-5");
  const call = { model: "gpt-5", messages: [{ role: "user", content: "Hi" }] };
  const refused = await ask("POST", "/chat/completions", call, gateway.key);
  expect([refused.status, refused.error?.code]).toEqual([403, "model_not_allowed"]);
  const open = (projects: string[] | null) => ask("POST", "/organization/models/gpt-5", { projects });
  expect((await open([gateway.projectId])).body).toMatchObject({
    projects: [gateway.projectId],
    rate: "1.25",
  });
  expect(await visible()).toContain("gpt-5");
  expect((await open([])).status).toBe(200);
  expect(await visible()).not.toContain("gpt-5");
  await gateway.restart();
  expect((await ask("POST", "/chat/completions", call, gateway.key)).status).toBe(403);
  expect((await open(null)).body).toMatchObject({ projects: null });
  expect(await visible()).toContain("gpt-5");
});

test("a project's own list of allowed models opens one that is open to none, and its denials close one", async () => {
  await importing({ provider, models: [chat("a"), chat("b")], projects: [gateway.projectId] });
  await ask("POST", "/organization/models/a", { projects: [] });
  const save = (mode: string, ids: string[]) =>
    ask("POST", `/organization/projects/${gateway.projectId}/model_permissions`, { mode, model_ids: ids });
  await save("allow_list", ["a"]);
  expect(await visible()).toEqual(["a"]);
  await save("deny_list", ["b"]);
  const ids = await visible();
  expect([ids.includes("a"), ids.includes("b")]).toEqual([false, false]);
});

test("projects of a model that isn't stored here, or that there aren't, are refused", async () => {
  await importing({ provider, models: [chat("a")] });
  expect(await ask("POST", "/organization/models/sandbox-echo", { projects: [] })).toMatchObject({
    status: 403,
    error: { code: "predefined_model", param: "projects" },
  });
  expect(await ask("POST", "/organization/models/a", { projects: ["none"] })).toMatchObject({
    status: 400,
    error: { param: "projects.0" },
  });
  expect(await ask("POST", "/organization/models/a", {})).toMatchObject({ status: 400 });
});

test("one wrong model of many leaves nothing behind, and the field is named with its place", async () => {
  const wrong = async (models: object[], more: object = {}) => {
    const { status, error } = await importing({ provider, models, ...more });
    return [status, error?.param];
  };
  expect(await wrong([chat("a"), { model: "b", id: "b", family: "chat" }])).toEqual([400, "models.1.price"]);
  expect(await wrong([chat("a"), chat("b", { price: { input_per_1m: "1" } })])).toEqual([
    400,
    "models.1.price.output_per_1m",
  ]);
  expect(await wrong([chat("a"), chat("a")])).toEqual([409, "models.1.id"]);
  expect(await wrong([chat("a"), chat("sandbox-echo")])).toEqual([409, "models.1.id"]);
  expect(await wrong([chat("a", { id: ".." })])).toEqual([400, "models.0.id"]);
  expect(await wrong([chat("a")], { projects: ["none"] })).toEqual([400, "models.0.projects.0"]);
  expect(await wrong([chat("a")], { provider_id: "near" })).toEqual([400, "provider_id"]);
  expect(await wrong([])).toEqual([400, "models"]);
  expect(await wrong(Array.from({ length: 501 }, (_, number) => chat(`m${number}`)))).toEqual([
    400,
    "models",
  ]);
  expect(await listIds()).toEqual([]);
  expect((await ask("GET", "/organization/providers/near")).status).toBe(404);
});

test("500 models are imported in one change with one event", async () => {
  const models = Array.from({ length: 500 }, (_, number) => chat(`m${number}`));
  expect((await importing({ provider, models })).status).toBe(200);
  const { body } = await ask("GET", "/organization/audit_logs?limit=5");
  const events = (body.data as { type: string }[]).filter(({ type }) => type === "model.imported");
  expect(events).toHaveLength(1);
  const call = { model: "m499", messages: [{ role: "user", content: "Hi" }] };
  expect((await ask("POST", "/chat/completions", call, gateway.key)).error?.code).toBe("model_not_allowed");
});

test("of concurrent imports of the same models one is made, and the others name what is taken", async () => {
  await ask("POST", "/organization/providers", provider);
  const models = Array.from({ length: 50 }, (_, number) => chat(`m${number}`));
  const all = await Promise.all(Array.from({ length: 6 }, () => importing({ provider_id: "near", models })));
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await listIds()).toHaveLength(50);
  const again = await importing({ provider_id: "near", models: [chat("new"), ...models] });
  expect(again.error?.message).toContain('"m0", "m1"');
  expect(again.error?.message).toContain("and 40 more");
});

test("an import with a new provider takes the permission to add providers, and one without doesn't", async () => {
  const role = await gateway.admin<{ id: string }>("POST", "/organization/roles", {
    role_name: "Pricing",
    permissions: ["api.models.read", "api.models.write"],
  });
  const { value } = await gateway.admin<{ value: string }>("POST", "/organization/admin_api_keys", {
    name: "pricing",
    role: role.id,
  });
  const as = (body: object) => ask("POST", "/organization/model_imports", { rate: "1", ...body }, value);
  const refused = await as({ provider, models: [chat("a")] });
  expect([refused.status, refused.error?.code]).toEqual([403, "missing_permission"]);
  await ask("POST", "/organization/providers", provider);
  expect((await as({ provider_id: "near", models: [chat("a")] })).status).toBe(200);
});

test("embeddings are refused where they can't be asked for: by a model, an import, and a change of protocols", async () => {
  const claude = { id: "claude", kind: "openai", preset: "anthropic", api_key: "sk-ant-x" };
  await ask("POST", "/organization/providers", claude);
  const vectors = { model: "v", id: "v", family: "embedding", price: { input_per_1m: "1" } };
  const refused = await importing({ provider_id: "claude", models: [vectors] });
  expect([refused.status, refused.error?.param]).toEqual([400, "models.0.routes.0.provider"]);
  expect(refused.error?.message).toContain("speaks messages");
  const { model: _, ...draft } = vectors;
  const added = await ask("POST", "/organization/models", {
    ...draft,
    rate: "1",
    routes: [{ provider: "claude", model: "v" }],
  });
  expect([added.status, added.error?.param]).toEqual([400, "routes.0.provider"]);
  await ask("POST", "/organization/providers", provider);
  expect((await importing({ provider_id: "near", models: [vectors] })).status).toBe(200);
  expect(await ask("POST", "/organization/providers/near", { protocols: ["messages"] })).toMatchObject({
    status: 409,
    error: { code: "in_use", param: "protocols" },
  });
});

test("the list of models tells window, prices as the project pays them, protocols and modalities", async () => {
  const priced = { price: { ...price, cached_input_per_1m: "0.1", cache_write_5m_per_1m: "1.25" } };
  await importing({
    provider: { ...provider, protocols: ["messages", "chat"] },
    rate: "1.5",
    projects: null,
    models: [
      chat("a", {
        ...priced,
        context_window: 200_000,
        max_output_tokens: 8_000,
        input_modalities: ["text", "image"],
      }),
      { model: "p", id: "p", family: "image", unit_price: { unit: "image", amount: "0.04" } },
      { model: "v", id: "v", family: "embedding", price: { input_per_1m: "0.02" } },
    ],
  });
  const { body } = await ask("GET", "/models", undefined, gateway.key);
  const listed = new Map((body.data as { id: string }[]).map((one) => [one.id, one]));
  expect(listed.get("a")).toMatchObject({
    context_length: 200_000,
    max_output_tokens: 8_000,
    input_modalities: ["text", "image"],
    supported_protocols: ["chat", "messages", "responses"],
    pricing: {
      currency: "USD",
      prompt: "0.0000015",
      completion: "0.000003",
      input_cache_read: "0.00000015",
      input_cache_write: "0.000001875",
    },
  });
  expect(listed.get("p")).toMatchObject({
    pricing: { unit: "image", per_unit: "0.06" },
    supported_protocols: [],
  });
  expect(listed.get("v")).toMatchObject({
    input_modalities: ["text"],
    pricing: { prompt: "0.00000003", completion: "0" },
  });
  await ask("POST", "/organization/providers/near", { protocols: ["messages"] }).then(({ status }) =>
    expect(status).toBe(409),
  );
  const one = await fetch(`${gateway.baseUrl}/models/a`, {
    headers: { "x-api-key": gateway.key, "anthropic-version": "2023-06-01" },
  });
  expect(await one.json()).toMatchObject({ type: "model", max_input_tokens: 200_000, max_tokens: 8_000 });
});
