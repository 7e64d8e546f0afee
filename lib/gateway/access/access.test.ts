import { expect, test } from "bun:test";
import type { Permission } from "@/lib/contract/access/permissions";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { operations } from "@/lib/contract/operation-table";
import { KeyCache } from "../keys/key-cache";
import type { AdminKeyRecord, ProjectKeyRecord } from "../keys/key-records";
import { UserCache } from "../people/members";
import { AccessGraph } from "../roles/access-graph";
import { hashSecret } from "../secrets/secret";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { authenticate } from "./authenticate";
import { authorize } from "./authorize";
import type { Caller } from "./caller";
import { SessionCache } from "./sessions";

const runtime = simulatedRuntime();
const now = runtime.clock.nowMs();
const projectKey = newSecretKey("gk_live_", runtime.random);
const adminKey = newSecretKey("gk_admin_", runtime.random);
const strayKey = newSecretKey("gk_admin_", runtime.random);
const keyFields = { name: "Key", userAgent: null, createdAtMs: 0, lastFour: "abcd", expiresAtMs: null };
const project: ProjectKeyRecord = {
  ...keyFields,
  id: "key_p",
  projectId: "proj_1",
  serviceAccount: null,
  scope: { models: null, endpoints: null },
  creator: null,
  rotatedFrom: null,
  replacedAtOnce: false,
  hash: hashSecret(projectKey),
};
const admin: AdminKeyRecord = {
  ...keyFields,
  id: "key_a",
  roleId: "role_finance",
  hash: hashSecret(adminKey),
};
const stray: AdminKeyRecord = { ...keyFields, id: "key_s", roleId: "role_gone", hash: hashSecret(strayKey) };

function context() {
  const keyCache = new KeyCache({ projectKeys: [project], adminKeys: [admin, stray] });
  const session = {
    id: "sess_1",
    actor: { kind: "admin_key" as const, id: "key_a" },
    hash: hashSecret("gs_token"),
    userAgent: null,
    createdAtMs: now,
  };
  const sessionCache = new SessionCache([{ ...session, expiresAtMs: now + 1000 }]);
  const graph = new AccessGraph({ roles: [], assignments: [], groupUsers: [] });
  return { keyCache, sessionCache, graph, userCache: new UserCache([]), runtime };
}

const never = () => Promise.reject(new Error("not read"));

const findCaller = (headers: Record<string, string>, from = context()) =>
  authenticate(from, new Headers(headers));

test("a project key is a member of its project, an admin key has its role, a session has the roles of its admin key", () => {
  expect(findCaller({ authorization: `Bearer ${projectKey}` })).toMatchObject({
    kind: "project_key",
    id: "key_p",
    projectId: "proj_1",
    roles: [{ id: "role_project_member" }],
  });
  const caller = findCaller({ authorization: `bearer  ${adminKey} ` });
  expect(caller).toMatchObject({ kind: "admin_key", projectId: null, roles: [{ id: "role_finance" }] });
  expect(caller?.permissions.has("api.payments.write")).toBe(true);
  expect(findCaller({ authorization: "Bearer gs_token" })).toMatchObject({
    kind: "session",
    id: "sess_1",
    keyId: "key_a",
    roles: [{ id: "role_finance" }],
    expiresAtMs: now + 1000,
  });
});

test("a key of a project holds nothing in other projects, nor in the organization", () => {
  const caller = findCaller({ authorization: `Bearer ${projectKey}` });
  expect(caller?.permissionsIn("proj_1").size).toBeGreaterThan(0);
  expect(caller?.permissionsIn("proj_2").size).toBe(0);
  expect(caller?.permissionsIn(null).size).toBe(0);
});

test("a session ends no later than the admin key that opened it", () => {
  const sooner = { ...admin, expiresAtMs: now + 500 };
  const keyCache = new KeyCache({ projectKeys: [], adminKeys: [sooner] });
  const caller = findCaller({ authorization: "Bearer gs_token" }, { ...context(), keyCache });
  expect(caller?.expiresAtMs).toBe(now + 500);
});

test("x-api-key replaces a missing Authorization header, never a wrong one", () => {
  expect(findCaller({ "x-api-key": projectKey })?.id).toBe("key_p");
  expect(findCaller({ "x-api-key": projectKey, authorization: "Basic abc" })).toBeNull();
});

test.each([
  ["none", ""],
  ["another scheme", `Basic ${adminKey}`],
  ["no token", "Bearer "],
  ["two tokens", `Bearer ${adminKey} ${adminKey}`],
  ["a mistyped key", `Bearer ${adminKey.slice(0, -1)}~`],
  ["a well-formed stranger", `Bearer ${newSecretKey("gk_live_", runtime.random)}`],
  ["the hash of a key", `Bearer ${hashSecret(adminKey)}`],
  ["an unknown session", "Bearer gs_other"],
])("no caller is found for %s", (_, authorization) => {
  expect(findCaller({ authorization })).toBeNull();
});

test("a revoked key and an ended or expired session lose access at once", async () => {
  const from = context();
  const touched = { table: "", subjectId: null, projectId: null };
  const findNothing = async () => null;
  const keys = {
    listActive: never,
    listReplaced: never,
    findActiveProjectKey: findNothing,
    findActiveAdminKey: findNothing,
    listActiveByAccount: never,
  };
  await from.keyCache.following(keys).reread.project_api_keys?.({ ...touched, id: project.id });
  expect(findCaller({ authorization: `Bearer ${projectKey}` }, from)).toBeNull();
  const sessions = from.sessionCache.following({ listUnexpired: never, find: findNothing }, () => now);
  await sessions.reread.sessions?.({ ...touched, id: "sess_1" });
  expect(findCaller({ authorization: "Bearer gs_token" }, from)).toBeNull();
  const later = simulatedRuntime({ nowMs: now + 1000 });
  expect(findCaller({ authorization: "Bearer gs_token" }, { ...context(), runtime: later })).toBeNull();
});

test("a key whose role was deleted has no permissions", () => {
  const caller = findCaller({ authorization: `Bearer ${strayKey}` }) as Caller;
  expect(caller.permissions.size).toBe(0);
  expect(() => authorize(operations.listRoles, caller, {})).toThrow(expect.objectContaining({ status: 403 }));
});

test("a session needs the permission for sessions where an operation has one, and a key the other", () => {
  const key = findCaller({ authorization: `Bearer ${projectKey}` }) as Caller;
  const holding = (kind: Caller["kind"], permission: Permission): Caller => ({
    ...key,
    kind,
    permissionsIn: () => new Set([permission]),
  });
  const call = (caller: Caller) => authorize(operations.createEmbedding, caller, {});
  call(holding("project_key", "api.completions.write"));
  call(holding("session", "api.playground.write"));
  for (const [kind, permission] of [
    ["project_key", "api.playground.write"],
    ["session", "api.completions.write"],
  ] as const)
    expect(() => call(holding(kind, permission))).toThrow(expect.objectContaining({ status: 403 }));
});

test("authorization asks for a caller, then the permission, then the project", () => {
  const member = findCaller({ authorization: `Bearer ${projectKey}` });
  const refusalWith = (status: number) => expect.objectContaining({ status });
  expect(() => authorize(operations.listRoles, null, {})).toThrow(refusalWith(401));
  expect(() => authorize(operations.retrieveMe, null, {})).toThrow(refusalWith(401));
  expect(() => authorize(operations.listRoles, member, {})).toThrow(
    expect.objectContaining({ status: 403, details: { permission: "api.roles.read" } }),
  );
  expect(() => authorize(operations.listRateLimits, member, { project_id: "proj_2" })).toThrow(
    refusalWith(404),
  );
  authorize(operations.listRateLimits, member, { project_id: "proj_1" });
  authorize(operations.createSession, null, {});
  authorize(operations.retrieveMe, member, {});
});
