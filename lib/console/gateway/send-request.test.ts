import { afterEach, expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { operations } from "@/lib/contract/operation-table";
import { buildNoReply } from "./build-failure";
import type { Connection } from "./gateway-request";
import { isGone } from "./problem";
import { openReply, sendLooseRequest, sendRequest } from "./send-request";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

/** A gateway that answers as the test says, and records its requests. */
function gateway(answer: (request: Request) => Response | Promise<Response>) {
  const requests: { method: string; path: string; headers: Headers; body: string }[] = [];
  server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = await request.clone().text();
      requests.push({ method: request.method, path: pathname + search, headers: request.headers, body });
      return answer(request);
    },
  });
  const connection: Connection = { url: `http://127.0.0.1:${server.port}`, token: "secret-token" };
  return { connection, requests };
}

const limits = {
  object: "project.rate_limit",
  id: "rl_a/b",
  model: "a/b",
  ...builtInRateLimits,
  max_requests_per_1_minute: 3,
};

test("a request is the operation's method, path, body and the caller's token", async () => {
  const { connection, requests } = gateway(() =>
    Response.json({ ...limits, extra: 1 }, { headers: { "x-request-id": "req_1" } }),
  );
  const reply = await sendRequest(connection, operations.saveRateLimit, {
    params: { project_id: "proj 1?x", rate_limit_id: "rl_a/b" },
    body: { max_requests_per_1_minute: 3 },
  });
  expect(reply).toMatchObject({ ok: true, requestId: "req_1", data: limits });
  expect(requests[0]).toMatchObject({
    method: "POST",
    path: "/organization/projects/proj%201%3Fx/rate_limits/rl_a%2Fb",
    body: '{"max_requests_per_1_minute":3}',
  });
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer secret-token");
  expect(requests[0]?.headers.get("content-type")).toBe("application/json");
});

test("operations of the versioned surface go below /v1, and a role is created below no version", async () => {
  const { connection, requests } = gateway(() => new Response(null, { status: 500 }));
  await sendRequest(connection, operations.listModels, {});
  await sendRequest(connection, operations.createRole, {
    body: { role_name: "Auditor", permissions: ["api.roles.read"] },
  });
  await sendRequest(connection, operations.listRoles, { query: { after: "role_1", limit: undefined } });
  expect(requests.map(({ path }) => path)).toEqual([
    "/v1/models",
    "/organization/roles/",
    "/organization/roles?after=role_1",
  ]);
});

test("an empty path parameter, which would lead elsewhere, is refused unsent", async () => {
  const { connection, requests } = gateway(() => new Response(null, { status: 404 }));
  const reply = await sendRequest(connection, operations.retrieveRole, { params: { role_id: "" } });
  expect(reply).toMatchObject({
    ok: false,
    problem: { code: "invalid", fields: { role_id: "must be an id" } },
  });
  expect(requests).toEqual([]);
});

test.each([
  [".", "%252E"],
  ["..", "%252E%252E"],
])("the path parameter %p is sent in a form that no client resolves", async (role_id, segment) => {
  const { connection, requests } = gateway(() => new Response(null, { status: 404 }));
  await sendRequest(connection, operations.retrieveRole, { params: { role_id } });
  expect(requests.map(({ path }) => path)).toEqual([`/organization/roles/${segment}`]);
});

test("a path parameter can't leave its segment", async () => {
  const { connection, requests } = gateway(() => new Response(null, { status: 404 }));
  await sendRequest(connection, operations.retrieveRole, { params: { role_id: "../../v1/models" } });
  expect(requests[0]?.path).toBe("/organization/roles/..%2F..%2Fv1%2Fmodels");
});

test.each([
  ["is not JSON", () => new Response("<html>hello</html>")],
  ["is of another shape", () => Response.json({ object: "balance", currency: "USD" })],
])("a reply that %s is a failure in plain words", async (_, answer) => {
  const { connection } = gateway(answer);
  const reply = await sendRequest(connection, operations.retrieveBalance, {});
  expect(reply).toMatchObject({ ok: false, problem: { code: "failed" } });
  if (!reply.ok)
    expect(reply.problem.message).toMatch(
      /^The gateway accepted the request, but (its reply is not JSON|the console can’t read its reply \(at .+\))\./,
    );
});

test.each([
  ["three million entries", () => new Response(`{"data":[${"{},".repeat(3_000_000)}{}]}`)],
  ["entries in few bytes", () => new Response(`{"data":[${"0,".repeat(250_000)}0]}`)],
  ["no end", () => new Response(endless())],
])("a reply of %s is reported as a problem", async (_, answer) => {
  const { connection } = gateway(answer);
  const reply = await sendRequest(connection, operations.listProjects, {});
  expect(reply).toMatchObject({ ok: false, problem: { code: "failed" } });
  if (!reply.ok) expect(reply.problem.message).toContain("larger than the console reads");
});

test("a reply that is not JSON is passed on only if it is of the type that was asked for", async () => {
  const { connection } = gateway(({ headers }) =>
    headers.get("accept") === "text/csv"
      ? new Response("a,b", {
          headers: { "content-type": "text/csv; charset=utf-8", "x-request-id": "req_1" },
        })
      : Response.json({ object: "list" }),
  );
  const asCsv = { headers: { accept: "text/csv" } };
  const reply = await openReply(connection, operations.listLedger, asCsv, "text/csv");
  expect(reply).toMatchObject({ ok: true, requestId: "req_1" });
  if (reply.ok) expect(await reply.data.text()).toBe("a,b");
  expect(await openReply(connection, operations.listLedger, {}, "text/csv")).toMatchObject({
    ok: false,
    problem: {
      code: "failed",
      message: "This gateway doesn't answer GET /organization/ledger as text/csv.",
    },
  });
});

test("a refusal without an end is given up, also of a reply that is not JSON", async () => {
  const { connection } = gateway(() => new Response(endless(), { status: 500 }));
  const reply = await openReply(connection, operations.listLedger, {}, "text/csv");
  expect(reply).toMatchObject({ ok: false, problem: { code: "failed" } });
});

test("a path parameter that leads elsewhere is refused unsent, also for a reply that is not JSON", async () => {
  const { connection, requests } = gateway(() => new Response("a"));
  const params = { task_id: "", position: "0" };
  const reply = await openReply(connection, operations.retrieveTaskOutput, { params }, null);
  expect(reply).toMatchObject({ ok: false, problem: { code: "invalid" } });
  expect(requests).toEqual([]);
});

test("a refused range is an answer, since its headers say which ranges there are", async () => {
  const { connection } = gateway(
    () => new Response(null, { status: 416, headers: { "content-range": "bytes */3" } }),
  );
  const request = { params: { file_id: "file_1" }, headers: { range: "bytes=9-" } };
  const reply = await openReply(connection, operations.retrieveFileContent, request, null);
  expect(reply).toMatchObject({ ok: true });
  if (reply.ok) expect(reply.data.headers.get("content-range")).toBe("bytes */3");
});

test("a raw body is sent as it is, with its own type", async () => {
  const { connection, requests } = gateway(() => Response.json({}, { status: 400 }));
  const body = new Response("--x--").body;
  const raw = { body, type: "multipart/form-data; boundary=x" };
  await sendLooseRequest(connection, operations.uploadFile, { raw, timeoutMs: null });
  expect(requests[0]).toMatchObject({ path: "/v1/files", body: "--x--" });
  expect(requests[0]?.headers.get("content-type")).toBe("multipart/form-data; boundary=x");
});

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) });
}

test("a redirect is not followed: the token goes only to the configured address", async () => {
  const { connection, requests } = gateway(() => Response.redirect("/elsewhere", 302));
  const reply = await sendRequest(connection, operations.retrieveBalance, {});
  expect(requests).toHaveLength(1);
  expect(reply).toMatchObject({ ok: false, problem: { code: "failed" } });
});

test("a gateway that is down, or that the caller no longer waits for, is unreachable", async () => {
  const { connection } = gateway(() => new Promise(() => {}));
  const signal = AbortSignal.abort();
  const waited = await sendRequest(connection, operations.retrieveBalance, { signal });
  expect(waited).toMatchObject({ ok: false, problem: { code: "unreachable" } });
  await server?.stop(true);
  const reply = await sendRequest(connection, operations.retrieveBalance, {});
  expect(reply).toMatchObject({ ok: false, problem: { code: "unreachable" } });
  if (!reply.ok) expect(reply.problem.message).toContain(connection.url);
});

test("a late gateway is said to have been given the time that it was given", async () => {
  const { connection } = gateway(() => new Promise(() => {}));
  const reply = await sendRequest(connection, operations.retrieveBalance, { timeoutMs: 10 });
  expect(reply).toMatchObject({ ok: false, problem: { code: "unreachable" } });
  if (!reply.ok) expect(reply.problem.message).toEndWith("did not answer within 0.01 seconds.");
});

test("a change without an answer may have been made, and whether it can be sent again is said", () => {
  const connection: Connection = { url: "http://gateway", token: null };
  const late = new DOMException("", "TimeoutError");
  const wordsFor = (
    id: "createPayment" | "approvePendingPayment" | "retrieveBalance",
    headers = {},
    error: Error = late,
  ) => buildNoReply(connection, error, operations[id], { headers }).message;
  expect(wordsFor("createPayment", { "idempotency-key": "a key" })).toEndWith(
    "It may have been saved. Send this again: it is saved only once.",
  );
  expect(wordsFor("approvePendingPayment")).toEndWith(
    "It may have been saved. Reload the page to see it before you try again.",
  );
  expect(wordsFor("retrieveBalance")).toBe("The gateway at http://gateway did not answer within 15 seconds.");
  const fail = (code: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(), { code }) });
  for (const code of ["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"])
    expect(wordsFor("createPayment", {}, fail(code))).toBe("No gateway answers at http://gateway.");
  for (const code of ["ECONNRESET", "UND_ERR_SOCKET"])
    expect(wordsFor("approvePendingPayment", {}, fail(code))).toBe(
      "The connection to the gateway at http://gateway broke off. It may have been saved. Reload the page to see it before you try again.",
    );
});

test("explains a delete that comes too late in words that fit a delete", async () => {
  const error = { code: "stale_version", message: "Compare with `current`.", current: limits };
  const { connection } = gateway(() => Response.json({ error }, { status: 412 }));
  const reply = await sendRequest(connection, operations.deleteRole, { params: { role_id: "role_1" } });
  expect(reply).toMatchObject({ ok: false, problem: { code: "stale", current: { state: "unreadable" } } });
  if (!reply.ok) expect(reply.problem.message).toContain("Look at it again before you remove it.");
});

test.each([
  ["deleted", { current: null }, { state: "deleted" }, true],
  ["changed", { current: limits }, { state: "changed", object: limits }, false],
  ["not for this person to read", {}, { state: "unreadable" }, false],
  ["in a form that the console doesn't know", { current: { of: "later" } }, { state: "unreadable" }, false],
])(
  "a stale save of an object that is %s says so, and only a deleted one is gone",
  async (_, details, current, gone) => {
    const error = { code: "stale_version", message: "Compare.", ...details };
    const { connection } = gateway(() => Response.json({ error }, { status: 412 }));
    const params = { project_id: "proj_1", rate_limit_id: "rl_1" };
    const reply = await sendRequest(connection, operations.saveRateLimit, { params, body: {} });
    expect(reply).toMatchObject({ ok: false, problem: { code: "stale", current } });
    expect(!reply.ok && isGone(reply.problem)).toBe(gone);
  },
);
