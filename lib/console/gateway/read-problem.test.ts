import { expect, test } from "bun:test";
import { type RefusedReply, readProblem, readStreamProblem } from "./read-problem";

function readErrorProblem(status: number, body: unknown, more: Partial<RefusedReply> = {}) {
  const headers = new Headers({ "x-request-id": "req_1" });
  return readProblem({
    status,
    body,
    headers,
    endpoint: "GET /organization/roles",
    operationId: "listRoles",
    ...more,
  });
}

const errorBody = (error: object) => ({ error });

test.each([
  [
    400,
    errorBody({ message: "role_name is required.", type: "invalid_request_error", param: "role_name" }),
    "invalid",
  ],
  [401, errorBody({ message: "No." }), "unauthenticated"],
  [402, errorBody({}), "insufficient_balance"],
  [403, errorBody({ code: "missing_permission" }), "missing_permission"],
  [403, errorBody({ code: "predefined_role" }), "refused"],
  [403, errorBody({ code: "not_owner" }), "refused"],
  [403, errorBody({ code: "model_not_allowed" }), "refused"],
  [403, errorBody({ code: "exceeds_own_permissions", permission: "api.roles.write" }), "missing_permission"],
  [403, errorBody({}), "missing_permission"],
  [404, errorBody({ code: "object_not_found", type: "not_found_error" }), "not_found"],
  [404, errorBody({ code: "model_not_found", type: "not_found_error" }), "not_found"],
  [404, errorBody({ code: "no_callback", type: "not_found_error" }), "not_found"],
  [404, errorBody({ code: "body_not_kept", type: "not_found_error" }), "not_found"],
  [404, errorBody({ type: "not_found_error" }), "not_found"],
  [404, errorBody({ code: "path_not_found", type: "not_found_error" }), "unsupported"],
  [404, errorBody({ message: "Invalid URL", type: "invalid_request_error" }), "unsupported"],
  [404, { detail: "Not Found" }, "unsupported"],
  [404, undefined, "unsupported"],
  [405, undefined, "unsupported"],
  [501, errorBody({}), "unsupported"],
  [409, errorBody({ code: "already_exists" }), "conflict"],
  [409, errorBody({ code: "last_owner" }), "conflict"],
  [413, undefined, "invalid"],
  [429, errorBody({}), "rate_limited"],
  [500, errorBody({}), "failed"],
  [503, "<html>", "failed"],
] as const)("status %p with %j is %s", (status, body, code) => {
  const problem = readErrorProblem(status, body);
  expect(problem.code).toBe(code);
  expect(problem.message.length).toBeGreaterThan(0);
  expect(problem.requestId).toBe("req_1");
});

test("an operation of the specification is never missing: its 404 is about the object", () => {
  const problem = readErrorProblem(404, { detail: "Not Found" }, { operationId: "saveRateLimit" });
  expect(problem.code).toBe("not_found");
  expect(problem.message).toBe("Not Found");
});

test("passes a refusal and its reason to the screen unchanged", () => {
  expect(readErrorProblem(400, errorBody({ message: "m", param: "permissions" })).fields).toEqual({
    permissions: "m",
  });
  expect(readErrorProblem(403, errorBody({ permission: "api.roles.write" }))).toMatchObject({
    permission: "api.roles.write",
  });
  const balance = { available: "0.10", required: "0.25", currency: "USD" };
  expect(readErrorProblem(402, errorBody({ balance }))).toMatchObject({ balance });
  const limit = {
    field: "max_requests_per_1_minute",
    max: 3,
    used: 3,
    requested: 1,
    resets_in_ms: null,
    project: "p",
    model: "m",
  };
  const headers = new Headers({ "retry-after": "17" });
  expect(readErrorProblem(429, errorBody({ limit }), { headers })).toMatchObject({
    limit,
    retryAfterSeconds: 17,
  });
  expect(readErrorProblem(405, null)).toMatchObject({ endpoint: "GET /organization/roles" });
});

test("a spend limit is told apart from the balance, and refusals of one status by their code", () => {
  const spendLimit = {
    project: "proj_1",
    threshold: "1.00",
    spent: "1.00",
    required: "0.01",
    currency: "USD",
  };
  const spend_limit = { ...spendLimit, resets_at: 1_767_225_600 };
  expect(readErrorProblem(402, errorBody({ code: "spend_limit", spend_limit }))).toMatchObject({
    code: "spend_limit",
    spendLimit: spend_limit,
  });
  expect(readErrorProblem(402, errorBody({ code: "spend_limit" }))).toMatchObject({
    code: "insufficient_balance",
    balance: null,
  });
  expect(readErrorProblem(403, errorBody({ code: "outside_key_scope" }))).toMatchObject({
    code: "refused",
    errorCode: "outside_key_scope",
  });
});

test("a body that isn't an error of the contract becomes a general problem", () => {
  const torn = { error: { message: {}, limit: { field: 1 }, balance: "b" } };
  for (const body of [null, 7, "text", [], { error: null }, { error: 7 }, torn]) {
    expect(readErrorProblem(429, body)).toMatchObject({
      code: "rate_limited",
      limit: null,
      message: expect.any(String),
    });
  }
});

test("a failure without a message is the gateway's or its proxy's, and never blamed on a model provider", () => {
  for (const status of [500, 502, 503, 504]) {
    const { message } = readErrorProblem(status, "<html>");
    expect(message).toStartWith("The gateway");
    expect(message).not.toContain("provider");
  }
});

test("only a 503 that is about no single request says that the gateway is down", () => {
  const isDown = (status: number, body: unknown) =>
    ({ isDown: false, ...readErrorProblem(status, body) }).isDown;
  expect(isDown(503, errorBody({ code: "store_unavailable" }))).toBe(true);
  expect(isDown(503, "<html>")).toBe(true);
  expect(isDown(503, errorBody({ code: "too_much_at_once" }))).toBe(false);
  expect(isDown(500, errorBody({ code: null }))).toBe(false);
});

test("an error inside a stream keeps its words and its request id", () => {
  const problem = readStreamProblem(
    errorBody({ message: "The provider hung up.", request_id: "req_2" }),
    "req_1",
  );
  expect(problem).toMatchObject({ code: "failed", message: "The provider hung up.", requestId: "req_2" });
});
