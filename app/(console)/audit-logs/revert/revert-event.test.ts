import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { sendLooseRequest } from "@/lib/console/gateway/send-request";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { type HttpServer, startServer } from "@/lib/gateway/http/server";
import { openGateway } from "@/lib/gateway/main/open-gateway";
import { simulatedRuntime } from "@/lib/gateway/simulation/simulated-runtime";
import { ZERO } from "@/lib/money/amount";
import { alert, type Change, limit, project, revertedChanges } from "../testing/reverted-changes";
import { type Call, revertEvent } from "./revert-event";

type Reply = { id: string; data: Record<string, unknown>[] } & Record<string, unknown>;

let gateway: Awaited<ReturnType<typeof openGateway>>;
let server: HttpServer;
let folder: string;
let call: Call;
let callAs: (token: string | null) => Call;
/** Ids of what the tests need, by their place in paths. */
const made: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-reverts-"));
  gateway = await openGateway({
    dataFolder: folder,
    runtime: simulatedRuntime(),
    configFile: null,
    maxConcurrentRequests: 100,
    maxSlowRequestsPerAddress: 100,
    alertTarget: null,
    callbackHosts: [],
    providerHosts: [],
    telemetry: { metricsToken: null, tracesUrl: null },
    followMs: null,
    environment: {},
    trustedProxies: new TrustedProxies([]),
    signIn: { consoleUrl: "http://console.test", openIdProvider: null, mail: null },
    secret: new Uint8Array(32),
    adminKey: null,
    openingBalance: ZERO,
    logFault: (where, error) => console.error(where, error),
  });
  server = startServer({
    port: 0,
    hostname: "127.0.0.1",
    answer: gateway.fetch,
    logFault: (where, error) => console.error(where, error),
  });
  const connection = { url: `http://127.0.0.1:${server.port}`, token: gateway.firstStart?.adminKey ?? null };
  callAs = (token) => (operation, request) => sendLooseRequest({ ...connection, token }, operation, request);
  call = callAs(connection.token);
  made.project = (await admin("POST", "/organization/projects", { name: "Reverts" })).id;
  made.group = (await admin("POST", "/organization/groups", { name: "Testers" })).id;
  await inviteMember("ada@example.com");
});
afterAll(async () => {
  await server.stop(true);
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

async function admin(method: string, path: string, body?: object): Promise<Reply> {
  const response = await fetch(
    `http://127.0.0.1:${server.port}${path.replace(/\{(\w+)\}/g, (_, name) => made[name] ?? "")}`,
    {
      method,
      headers: {
        authorization: `Bearer ${gateway.firstStart?.adminKey}`,
        "content-type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  const reply = (await response.json()) as Reply;
  // A setting that doesn't exist is a state too.
  if (!response.ok && !(method === "GET" && response.status === 404))
    throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
  return reply;
}

async function inviteMember(email: string) {
  const { token } = await admin("POST", "/organization/invites", { email, role: "reader", projects: [] });
  const draft = { token, name: "Ada", password: "a long enough passphrase" };
  const accepted = await admin("POST", "/organization/invites/accept", draft);
  made.user = String((await admin("GET", `/organization/users?emails=${email}`)).data[0]?.id);
  return String(accepted.token);
}

async function newest(): Promise<AuditLog> {
  const { data } = await admin("GET", "/organization/audit_logs?limit=1");
  return data[0] as unknown as AuditLog;
}

/** What a read returns, without what each save changes. */
async function readState(path: string): Promise<unknown> {
  const state = JSON.stringify(await admin("GET", path), (name, value) =>
    /^(version|created_at|added_at|price_set_at|updated_at|request_id|last_fired_at)$/.test(name) ||
    (name === "id" && /^(alert|price)/.test(String(value))) ||
    /^(first|last)_id$/.test(name)
      ? undefined
      : value,
  );
  return JSON.parse(state);
}

/** Makes a change, with the ids of `made` in its body. */
function make([method, path, body]: Change): Promise<Reply> {
  const named = body && JSON.parse(JSON.stringify(body).replace("{user}", made.user ?? ""));
  const withIds = named?.group_id ? { ...named, group_id: made.group } : named;
  return admin(method, path, withIds);
}

test.each(revertedChanges)("reverts $what to exactly what was", async ({ state, first, change }) => {
  if (first) made.first = String((await make(first)).id);
  const before = await readState(state);
  await make(change);
  expect(await readState(state)).not.toEqual(before);
  const event = await newest();
  expect(await revertEvent(call, event.id)).toMatchObject({ ok: true });
  expect(await readState(state)).toEqual(before);
  // The revert is an event of its own.
  expect((await newest()).id).not.toBe(event.id);
});

test("refuses what was changed or made again since, and changes nothing", async () => {
  await make(["POST", `${project}/spend_limit`, limit(100)]);
  const set = await newest();
  await make(["POST", `${project}/spend_limit`, limit(200)]);
  expect(await revertEvent(call, set.id)).toMatchObject({ ok: false, problem: { code: "conflict" } });
  await make(["DELETE", `${project}/spend_limit`]);
  const deleted = await newest();
  await make(["POST", `${project}/spend_limit`, limit(300)]);
  expect(await revertEvent(call, deleted.id)).toMatchObject({ ok: false, problem: { code: "conflict" } });
  expect(await admin("GET", `${project}/spend_limit`)).toMatchObject({ threshold_amount: 300 });
  await make(["POST", "/organization/users/{user}", { role: "role_admin" }]);
  const promoted = await newest();
  await make(["POST", "/organization/users/{user}", { role: "role_owner" }]);
  expect(await revertEvent(call, promoted.id)).toMatchObject({
    ok: false,
    problem: { code: "conflict", message: expect.stringContaining("Role has been changed again") },
  });
});

test("a deleted alert that is brought back twice is there once", async () => {
  const { id } = await make(["POST", `${project}/spend_alerts`, alert(4_200)]);
  const count = async () => (await admin("GET", `${project}/spend_alerts`)).data.length;
  const before = await count();
  await make(["DELETE", `${project}/spend_alerts/${id}`]);
  const event = await newest();
  await Promise.all([revertEvent(call, event.id), revertEvent(call, event.id)]);
  await revertEvent(call, event.id);
  expect(await count()).toBe(before);
});

test("a revert can be reverted, once: of two at once one changes something, and nothing is changed twice", async () => {
  const limits = `${project}/rate_limits/rl_sandbox-slow`;
  await make(["POST", limits, { max_requests_per_1_minute: 5 }]);
  await make(["POST", limits, { max_requests_per_1_minute: 9 }]);
  const raised = await newest();
  const now = async () => (await admin("GET", limits)).max_requests_per_1_minute;
  expect(await revertEvent(call, raised.id)).toMatchObject({ ok: true });
  const reverted = await newest();
  expect(await now()).toBe(5);
  const both = await Promise.all([revertEvent(call, reverted.id), revertEvent(call, reverted.id)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await now()).toBe(9);
  // The first change is undone and made again, so it is the last one again.
  expect(await revertEvent(call, reverted.id)).toMatchObject({ ok: false, problem: { code: "conflict" } });
  expect(await now()).toBe(9);
});

test("nobody reverts a change of what is gone, or of what they may not change", async () => {
  const token = await inviteMember("eve@example.com");
  const group = await make(["POST", "/organization/groups", { name: "Soon gone" }]);
  await make(["POST", `/organization/groups/${group.id}`, { name: "Renamed" }]);
  const renamed = await newest();
  expect(await revertEvent(callAs(token), renamed.id)).toMatchObject({
    ok: false,
    problem: { code: "missing_permission" },
  });
  await make(["DELETE", `/organization/groups/${group.id}`]);
  const deleted = await newest();
  expect(await revertEvent(call, renamed.id)).toMatchObject({ ok: false, problem: { code: "not_found" } });
  await make(["POST", `${project}/spend_limit`, limit(500)]);
  const set = await newest();
  for (const id of [set.id, deleted.id]) expect((await revertEvent(callAs(token), id)).ok).toBe(false);
  expect(await revertEvent(callAs("gk_none"), set.id)).toMatchObject({ ok: false });
  expect(await admin("GET", `${project}/spend_limit`)).toMatchObject({ threshold_amount: 500 });
  expect((await newest()).id).toBe(set.id);
});
