import { expect, test } from "bun:test";
import { request } from "node:http";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { fetchWithKey, send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

serveForAll((served) => {
  gateway = served;
});

function ask(method: string, path: string, body?: unknown) {
  return send(new URL(gateway.baseUrl).origin + path, { method, body, key: gateway.adminKey });
}

test.each<[string, string, number, string]>([
  ["POST", "/organization/projects/{project}/rate_limits/rl_none", 404, "object_not_found"],
  ["POST", "/organization/projects/proj_none/rate_limits/rl_sandbox-echo", 404, "object_not_found"],
  ["POST", "/organization/projects/../rate_limits/rl_sandbox-echo", 404, "path_not_found"],
  ["POST", "/organization/projects/%2e%2e/rate_limits/rl_sandbox-echo", 404, "path_not_found"],
  ["POST", "/organization/projects/..%2f..%2froles/rate_limits/rl_sandbox-echo", 404, "object_not_found"],
  ["POST", "/organization/projects/{project}/rate_limits/rl_..%2f", 404, "object_not_found"],
  ["POST", "/organization/projects/{project}/rate_limits/%zz", 404, "path_not_found"],
  ["POST", "/organization/projects/%c3%28/rate_limits/rl_sandbox-echo", 404, "path_not_found"],
  ["GET", "/organization/roles/%ff", 404, "path_not_found"],
  ["POST", "/organization/projects/{project}/rate_limits/a/b", 404, "object_not_found"],
  ["POST", "/organization//projects", 404, "path_not_found"],
  ["GET", "/organization/roles?limit=0", 400, "invalid_value"],
  ["GET", "/organization/roles?limit=1e2", 400, "invalid_value"],
  ["GET", "/organization/roles?colour=red", 400, "unknown_field"],
  ["GET", "/organization/ledger?after=txn_none", 400, "invalid_value"],
  ["GET", "/organization/ledger?kind=gift", 400, "invalid_value"],
  ["GET", "/organization/nothing", 404, "path_not_found"],
  ["GET", "/chat/completions", 404, "path_not_found"],
])("%s %s is a %i", async (method, path, status, code) => {
  const body = method === "POST" ? { max_requests_per_1_minute: 1 } : undefined;
  const answer = await ask(method, path.replace("{project}", gateway.projectId), body);
  expect([answer.status, answer.error.code]).toEqual([status, code]);
});

test.each([
  ["PUT", "/organization/roles", "GET, POST"],
  ["PATCH", "/v1/organization/roles/role_owner/", "GET, POST, DELETE"],
  ["GET", "/v1/chat/completions", "POST"],
  ["DELETE", "/organization/balance", "GET"],
])("%s %s is a 405 that lists the allowed methods", async (method, path, allow) => {
  const answer = await ask(method, path);
  expect([answer.status, answer.error.code]).toEqual([405, "method_not_allowed"]);
  expect(answer.headers.get("allow")).toBe(allow);
});

test("TRACE is answered nowhere, and no reply is taken for another kind than it is", async () => {
  const { origin } = new URL(gateway.baseUrl);
  const fetchStatus = (path: string) =>
    new Promise((resolve, reject) => {
      request(origin + path, { method: "TRACE" }, (reply) => resolve(reply.resume().statusCode))
        .on("error", reject)
        .end();
    });
  expect(await Promise.all(["/", "/docs", "/v1/organization/roles"].map(fetchStatus))).toEqual([
    404, 404, 405,
  ]);
  for (const path of ["/nothing", "/organization/roles", "/organization/ledger", "/docs"]) {
    const { headers } = await fetchWithKey(origin + path, {
      key: gateway.adminKey,
      headers: { accept: "text/csv" },
    });
    expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  }
});

test.each<[string, () => string | undefined]>([
  ["no key", () => undefined],
  ["an empty key", () => ""],
  ["a key cut short", () => gateway.adminKey.slice(0, -1)],
  ["a mistyped key", () => `${gateway.adminKey.slice(0, 20)}~${gateway.adminKey.slice(21)}`],
  ["a stranger's key", () => newSecretKey("gk_admin_", random)],
  ["a made-up session", () => "gs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
])("%s is a 401 in the same words", async (_, key) => {
  const address = `${gateway.baseUrl}/organization/roles`;
  const { status, error, headers } = await send(address, { key: key() });
  expect([status, error.type, error.code]).toEqual([401, "authentication_error", "invalid_api_key"]);
  expect(error.message).toStartWith("The API key is missing, malformed, unknown, revoked or expired.");
  expect(headers.get("www-authenticate")).toBe("Bearer");
});

test("a trailing slash, and the origin instead of /v1, answer the same", async () => {
  const answers = await Promise.all(
    ["/organization/roles", "/organization/roles/", "/v1/organization/roles", "/v1/organization/roles/"].map(
      (path) => ask("GET", path),
    ),
  );
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toEqual(answers[0]?.body ?? {});
  }
});
