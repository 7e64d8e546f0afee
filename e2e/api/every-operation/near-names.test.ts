import { expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const origin = () => new URL(gateway.baseUrl).origin;
const chat = (model: string, key = gateway.key) =>
  send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key,
    body: { model, messages: [{ role: "user", content: "Hello" }] },
  });

test.each([
  ["sandbox-ehco", 'There is no model "sandbox-ehco". Did you mean sandbox-echo?'],
  ["Sandbox-Echo", 'There is no model "Sandbox-Echo". Did you mean sandbox-echo?'],
  ["claude", 'There is no model "claude". Those that can be called'],
])("a call to %s is refused with the model that was probably meant", async (model, message) => {
  const { status, error } = await chat(model);
  expect([status, error.code, error.param]).toEqual([404, "model_not_found", "model"]);
  expect(error.message).toStartWith(message);
});

test("a model that the project may not call is not given away", async () => {
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/model_permissions`, {
    mode: "deny_list",
    model_ids: ["sandbox-echo"],
  });
  expect((await chat("sandbox-ehco")).error.message).not.toContain("sandbox-echo");
  const listed = await send(`${gateway.baseUrl}/models/sandbox-ehco`, { key: gateway.key });
  expect(listed.error.message).not.toContain("sandbox-echo");
  const administered = await send(`${gateway.baseUrl}/organization/models/sandbox-ehco`, {
    key: gateway.adminKey,
  });
  expect(administered.error.message).toContain("Did you mean sandbox-echo?");
});

test.each([
  ["/projects", { nam: "Checkout" }, 'There is no field "nam" here; did you mean name?'],
  [
    "/models",
    {
      id: "m",
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1", output_per_m: "1" },
      routes: [{ provider: "sandbox", model: "m" }],
    },
    'There is no field "price.output_per_m" here; did you mean output_per_1m?',
  ],
  [
    "/models",
    {
      id: "m",
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1", output_per_1m: "1" },
      routes: [{ provder: "x" }],
    },
    'There is no field "routes.0.provder" here; did you mean provider?',
  ],
  [
    "/projects",
    { name: "Checkout", colour: 1 },
    'There is no field "colour" here; remove it or check its spelling.',
  ],
])("a misspelt field of %s is refused with the intended one", async (path, body, message) => {
  const { status, error } = await send(`${gateway.baseUrl}/organization${path}`, {
    method: "POST",
    key: gateway.adminKey,
    body,
  });
  expect([status, error.message]).toEqual([400, message]);
});

test("the error for a misspelt query parameter names the nearest one", async () => {
  const { error } = await send(`${gateway.baseUrl}/organization/projects?limt=5`, { key: gateway.adminKey });
  expect(error.message).toBe('There is no field "limt" here; did you mean limit?');
});

test.each([
  ["/chat/completions", "/v1/chat/completions"],
  ["/v1/v1/chat/completions", "/v1/chat/completions"],
  ["/api/v1/chat/completions", "/v1/chat/completions"],
  ["/v1/chat/completion", "/v1/chat/completions"],
  ["/v1/message", "/v1/messages"],
  ["/organization/project", "/organization/projects"],
  ["/v1/organization/projects/proj_1/ratelimits", "/v1/organization/projects/proj_1/rate_limits"],
])("%s is told %s", async (path, meant) => {
  const { status, error } = await send(`${origin()}${path}`, { method: "POST", key: gateway.key, body: {} });
  expect([status, error.code]).toEqual([404, "path_not_found"]);
  expect(error.message).toStartWith(`There is nothing at ${path}. Did you mean ${meant}?`);
});

test("the error for a path that resembles none says where paths are listed, however long the path is", async () => {
  const { error } = await send(`${origin()}/embeddings/${"x".repeat(7_000)}`, { key: gateway.key });
  expect(error.message).not.toContain("Did you mean");
  expect(error.message).toEndWith("Paths are listed at /docs and in /openapi.json.");
});

test("the error for a provider's own key says how our keys begin, and repeats nothing of it", async () => {
  const { status, error } = await chat("sandbox-echo", "sk-proj-abcdef");
  expect([status, error.code]).toEqual([401, "invalid_api_key"]);
  expect(error.message).toContain("Keys of this gateway begin with gk_");
  expect(error.message).not.toContain("abcdef");
  expect((await chat("sandbox-echo", `${gateway.key}x`)).error.message).not.toContain("gk_");
});
