import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fetchWithKey, send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let before: string;

beforeAll(async () => {
  gateway = await serveGateway();
  before = await state();
});
afterAll(async () => {
  // No refused request changed anything, and none was an internal error.
  expect(await state()).toBe(before);
  await gateway.close();
});

async function state(): Promise<string> {
  const lists = [
    "roles",
    "projects",
    "models",
    "providers",
    "ledger",
    `projects/${gateway.projectId}/rate_limits`,
  ];
  return JSON.stringify(
    await Promise.all(lists.map((list) => gateway.admin("GET", `/organization/${list}`))),
  );
}

function ask(method: string, path: string, body?: unknown) {
  return send(new URL(gateway.baseUrl).origin + path, { method, body, key: gateway.adminKey });
}

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
const nested = (depth: number) => `{"role_name":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

describe.each([
  ["an empty body", "", "invalid_json"],
  ["no JSON", "role_name=x", "invalid_json"],
  ["a cut body", '{"role_name": "x"', "invalid_json"],
  ["an array", "[]", "invalid_json"],
  ["invalid UTF-8", bytes('{"role_name":"', [0xff], '"}'), "invalid_utf8"],
  ["nesting of 65", nested(65), "too_deep"],
  ["nesting of ten thousand", nested(10_000), "too_deep"],
  ["more entries than are read", `{"role_name":[${"{},".repeat(2_000)}{}]}`, "too_many_entries"],
  ["a field twice", '{"role_name":"a","role_name":"b"}', "invalid_value"],
])("%s", (_, body, code) => {
  test.each(["/organization/roles", "/v1/organization/payments", "/v1/organization/projects"])(
    "is a 400 at %s",
    async (path) => {
      const { status, error, headers } = await ask("POST", path, body);
      expect([status, error.type, error.code]).toEqual([400, "invalid_request_error", code]);
      expect(error.request_id ?? "").toBe(headers.get("x-request-id") ?? "none");
    },
  );
});

const role = { role_name: "Tester", permissions: ["api.roles.read"] };
const model = {
  id: "new-model",
  family: "chat",
  rate: "1",
  price: { input_per_1m: "1", output_per_1m: "1" },
  routes: [{ provider: "sandbox", model: "sandbox-echo" }],
};
const provider = { id: "ollama", kind: "openai", base_url: "http://127.0.0.1:11434/v1" };
const limit = "/organization/projects/{project}/rate_limits/rl_sandbox-echo";

test.each<[string, string, unknown, string, string]>([
  ["an unknown field", "/organization/roles", { ...role, colour: "red" }, "colour", "unknown_field"],
  [
    "__proto__",
    "/organization/roles",
    '{"role_name":"x","permissions":["api.roles.read"],"__proto__":{}}',
    "__proto__",
    "unknown_field",
  ],
  ["a wrong type", "/organization/roles", { ...role, role_name: 7 }, "role_name", "invalid_value"],
  ["an empty name", "/organization/roles", { ...role, role_name: "  " }, "role_name", "invalid_value"],
  [
    "a name of 101",
    "/organization/roles",
    { ...role, role_name: "x".repeat(101) },
    "role_name",
    "invalid_value",
  ],
  ["NUL in a name", "/organization/roles", { ...role, role_name: "a\0b" }, "role_name", "invalid_value"],
  ["CR LF in a name", "/organization/roles", { ...role, role_name: "a\r\nb" }, "role_name", "invalid_value"],
  [
    "half a surrogate",
    "/organization/roles",
    '{"role_name":"\\ud800","permissions":["api.roles.read"]}',
    "role_name",
    "invalid_value",
  ],
  ["no permissions", "/organization/roles", { role_name: "x" }, "permissions", "missing_field"],
  [
    "an unknown permission",
    "/organization/roles",
    { ...role, permissions: ["api.role.read"] },
    "permissions.0",
    "unknown_permission",
  ],
  [
    "a permission of a number",
    "/organization/roles",
    { ...role, permissions: [1] },
    "permissions.0",
    "invalid_value",
  ],
  [
    "a thousand permissions",
    "/organization/roles",
    { ...role, permissions: Array(1e3).fill("x") },
    "permissions",
    "invalid_value",
  ],
  ["-1", limit, { max_tokens_per_1_minute: -1 }, "max_tokens_per_1_minute", "invalid_value"],
  ["1.5", limit, { max_tokens_per_1_minute: 1.5 }, "max_tokens_per_1_minute", "invalid_value"],
  ["1e400", limit, '{"max_tokens_per_1_minute":1e400}', "max_tokens_per_1_minute", "invalid_value"],
  ["2^53", limit, '{"max_tokens_per_1_minute":9007199254740992}', "max_tokens_per_1_minute", "invalid_value"],
  ["a number as text", limit, { max_tokens_per_1_minute: "3" }, "max_tokens_per_1_minute", "invalid_value"],
  ["a payment of a number", "/organization/payments", { amount: 25 }, "amount", "invalid_value"],
  ["a payment of nothing", "/organization/payments", { amount: "0.00" }, "amount", "invalid_value"],
  ["a negative payment", "/organization/payments", { amount: "-1" }, "amount", "invalid_value"],
  ["ten decimals", "/organization/payments", { amount: "0.0000000001" }, "amount", "invalid_value"],
  [
    "more than there is",
    "/organization/payments",
    { amount: "9000000000.000000001" },
    "amount",
    "invalid_value",
  ],
  ["1e3 as an amount", "/organization/payments", { amount: "1e3" }, "amount", "invalid_value"],
  [
    "a route to no provider",
    "/organization/models",
    { ...model, routes: [{ provider: "x", model: "y" }] },
    "routes.0.provider",
    "invalid_value",
  ],
  ["no route", "/organization/models", { ...model, routes: [] }, "routes", "invalid_value"],
  ["a rate of 0", "/organization/models", { ...model, rate: "0" }, "rate", "invalid_value"],
  ["a space in a model", "/organization/models", { ...model, id: "a b" }, "id", "invalid_value"],
  ["an unknown family", "/organization/models", { ...model, family: "film" }, "family", "invalid_value"],
  ["an empty change", "/organization/models/sandbox-echo", {}, "body", "invalid_value"],
  [
    "an address of a file",
    "/organization/providers",
    { ...provider, base_url: "file:///etc/passwd" },
    "base_url",
    "invalid_value",
  ],
  [
    "a password in an address",
    "/organization/providers",
    { ...provider, base_url: "http://a:b@host/v1" },
    "base_url",
    "invalid_value",
  ],
  [
    "a line break in a key",
    "/organization/providers",
    { ...provider, api_key: "a\nb" },
    "api_key",
    "invalid_value",
  ],
])("%s is a 400 that names the field", async (_, path, body, param, code) => {
  const { status, error } = await ask("POST", path.replace("{project}", gateway.projectId), body);
  expect([status, error.param, error.code]).toEqual([400, param, code]);
  expect(error.message?.length).toBeLessThan(400);
});

test("the error for an unknown permission names the nearest one", async () => {
  const { error } = await ask("POST", "/organization/roles", { ...role, permissions: ["api.role.write"] });
  expect(error.message).toBe("permissions.0 is not a permission; did you mean api.roles.write?");
});

test.each([
  ["/organization/roles", 64],
  ["/organization/sign_in", 16],
  ["/chat/completions", 32 * 1024],
])("a body of more than %s reads, %i KiB, is a 413, announced or not", async (path, kib) => {
  const key = path === "/chat/completions" ? gateway.key : gateway.adminKey;
  const address = gateway.baseUrl + path;
  const large = `{"role_name": "${"x".repeat(kib * 1024)}"}`;
  expect(await send(address, { method: "POST", body: large, key })).toMatchObject({
    status: 413,
    error: { type: "request_too_large" },
  });
  const chunks = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(32)),
  });
  const endless = await fetchWithKey(address, { key, body: chunks });
  expect(endless.status).toBe(413);
});

test("a head of more than 16 KiB is a 431", async () => {
  const reply = await fetch(`${gateway.baseUrl}/models`, { headers: { "x-long": "x".repeat(17 * 1024) } });
  expect(reply.status).toBe(431);
});
