import { expect, test } from "bun:test";
import {
  addedModel,
  addedProvider,
  type Configured,
  serveConfiguredForEach,
} from "../../support/gateways/serve-configured";

let { gateway, ask } = {} as Configured;
serveConfiguredForEach((served) => {
  ({ gateway, ask } = served);
});

const noTimeouts = {
  connect_seconds: null,
  whole_answer_seconds: null,
  first_event_seconds: null,
  idle_seconds: null,
  total_seconds: null,
};

test("a provider is added, routed to, kept while it is needed, and its key never shown", async () => {
  const created = await ask("POST", "/providers", addedProvider);
  expect(created.body).toEqual({
    object: "organization.provider",
    id: "ollama",
    kind: "openai",
    base_url: "http://127.0.0.1:11434/v1",
    has_api_key: true,
    api_keys: [{ id: "key_1", hint: expect.stringMatching(/^…/) }],
    resting_api_keys: [],
    protocols: ["chat"],
    auth: "bearer",
    messages_base_url: null,
    output_limit_field: "max_tokens",
    timeouts: noTimeouts,
    refused_fields: [],
    found_refused_fields: [],
    source: "database",
    task_api: null,
    misconfigured: [],
    version: expect.any(String),
  });
  expect(await ask("POST", "/providers", addedProvider)).toMatchObject({
    status: 409,
    error: { param: "id" },
  });
  expect((await ask("POST", "/models", addedModel)).status).toBe(200);
  expect(await ask("POST", "/models", addedModel)).toMatchObject({
    status: 409,
    error: { code: "already_exists" },
  });
  expect(await ask("DELETE", "/providers/ollama")).toMatchObject({ status: 409, error: { code: "in_use" } });
  for (const id of ["sandbox", "configured"]) {
    const refused = await ask("DELETE", `/providers/${id}`);
    expect([refused.status, refused.error.code]).toEqual([403, "predefined_provider"]);
  }
  const files = await Promise.all(
    ["gatehouse.sqlite", "gatehouse.sqlite-wal"].map((name) =>
      Bun.file(`${gateway.dataFolder}/${name}`).text(),
    ),
  );
  expect(files.join()).toContain("ollama");
  expect(files.join()).not.toContain("canary");
});

test("a provider's time limits and fields are set, changed one by one, and go back to their defaults", async () => {
  const settings = { timeouts: { idle_seconds: 90.5 }, refused_fields: ["stream_options"] };
  const added = await ask("POST", "/providers", { ...addedProvider, ...settings });
  expect(added.body).toMatchObject({
    timeouts: { ...noTimeouts, idle_seconds: 90.5 },
    refused_fields: ["stream_options"],
  });
  const change = (body: object) => ask("POST", "/providers/ollama", body);
  expect((await change({ timeouts: { whole_answer_seconds: 1_200 } })).body).toMatchObject({
    timeouts: { ...noTimeouts, idle_seconds: 90.5, whole_answer_seconds: 1_200 },
    refused_fields: ["stream_options"],
  });
  const changed = { timeouts: { idle_seconds: null }, refused_fields: ["user"] };
  await change({ ...changed, output_limit_field: "max_completion_tokens" });
  await gateway.restart();
  expect((await ask("GET", "/providers/ollama")).body).toMatchObject({
    timeouts: { ...noTimeouts, whole_answer_seconds: 1_200 },
    refused_fields: ["user"],
    output_limit_field: "max_completion_tokens",
    has_api_key: true,
    api_keys: [{ id: "key_1", hint: expect.stringMatching(/^…/) }],
    resting_api_keys: [],
    protocols: ["chat"],
    auth: "bearer",
    messages_base_url: null,
  });
  expect((await change({ output_limit_field: null })).body).toMatchObject({
    output_limit_field: "max_tokens",
  });
});

test("a preset says how a service is asked, and each of its settings may be another", async () => {
  const add = async (draft: object) => (await ask("POST", "/providers", { kind: "openai", ...draft })).body;
  expect(await add({ id: "anthropic", preset: "anthropic", api_key: "sk-ant-1" })).toMatchObject({
    base_url: "https://api.anthropic.com/v1",
    protocols: ["messages"],
    auth: "x-api-key",
    messages_base_url: null,
  });
  const azure = { preset: "azure", base_url: "https://unit.services.ai.azure.com/openai/v1/" };
  expect(await add({ id: "azure", ...azure, protocols: ["messages", "chat"] })).toMatchObject({
    base_url: "https://unit.services.ai.azure.com/openai/v1",
    protocols: ["messages", "chat"],
    auth: "api-key",
    messages_base_url: "https://unit.services.ai.azure.com/anthropic/v1",
    output_limit_field: "max_completion_tokens",
  });
  const { error } = await ask("POST", "/providers", { id: "b", kind: "openai", preset: "bedrock" });
  expect(error).toMatchObject({ code: "missing_field", param: "base_url" });
  const change = { protocols: ["chat"], auth: "bearer", messages_base_url: null };
  await ask("POST", "/providers/azure", change);
  await gateway.restart();
  expect((await ask("GET", "/providers/azure")).body).toMatchObject(change);
});

test.each<[object, string, RegExp]>([
  [{ timeouts: { idle_seconds: 0 } }, "timeouts.idle_seconds", /must be greater than 0/],
  [{ timeouts: { total_seconds: 3_601 } }, "timeouts.total_seconds", /must be at most 3600/],
  [{ timeouts: { idle_seconds: "60" } }, "timeouts.idle_seconds", /must be a number of seconds/],
  [{ timeouts: { idle: 60 } }, "timeouts.idle", /idle/],
  [{ refused_fields: ["messages"] }, "refused_fields.0", /must be "stream_options"/],
  [{ refused_fields: ["user", "user"] }, "refused_fields", /must name each field once/],
  [{}, "body", /must carry protocols, auth, messages_base_url/],
  [{ protocols: ["responses"] }, "protocols", /must name chat or messages/],
  [{ protocols: ["chat", "chat"] }, "protocols", /must name each protocol once/],
  [{ auth: "basic" }, "auth", /must be "bearer"/],
  [{ messages_base_url: "http://127.0.0.2:11434/v1" }, "messages_base_url", /must have the host and port/],
])("a wrong setting of a provider is refused by its name: %j", async (body, param, message) => {
  await ask("POST", "/providers", addedProvider);
  const { status, error } = await ask("POST", "/providers/ollama", body);
  expect([status, error.param]).toEqual([400, param]);
  expect(error.message).toMatch(message);
});

test("a provider of the file or of the gateway is changed where it stands", async () => {
  const body = { timeouts: { idle_seconds: 60 } };
  for (const id of ["configured", "sandbox"]) {
    const refused = await ask("POST", `/providers/${id}`, body);
    expect([refused.status, refused.error.code]).toEqual([403, "predefined_provider"]);
  }
  expect((await ask("POST", "/providers/nobody", body)).status).toBe(404);
});
