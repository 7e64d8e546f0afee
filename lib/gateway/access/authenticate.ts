import type { Permission } from "@/lib/contract/access/permissions";
import { ROLE_VIEW_HEADER, type RoleView, readRoleView } from "@/lib/contract/access/role-view";
import { toProjectRoleId } from "@/lib/contract/access/role-words";
import { findKeyKind } from "@/lib/contract/access/secret-keys";
import type { ClockAndRandom } from "../clock";
import type { ActiveKey, KeyCache } from "../keys/key-cache";
import type { AdminKeyRecord, ProjectKeyRecord } from "../keys/key-records";
import type { UserCache } from "../people/members";
import { unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import type { AccessGraph, Holder, Role } from "../roles/access-graph";
import type { Actor, ActorRef } from "../roles/actor";
import { hashSecret } from "../secrets/secret";
import type { Caller } from "./caller";
import type { SessionRecord } from "./session-store.sql";
import type { SessionCache } from "./sessions";

export interface AuthenticationContext {
  readonly keyCache: KeyCache;
  readonly sessionCache: SessionCache;
  readonly graph: AccessGraph;
  readonly userCache: UserCache;
  readonly runtime: ClockAndRandom;
}

/** No token is longer. */
const MAX_TOKEN_LENGTH = 200;
const MAX_CACHED_HASHES = 10_000;

/** Hashes of tokens that were valid. Every call still checks validity, so a revoked key stops working at once. */
const hashByToken = new Map<string, string>();

const BEARER = /^bearer +([!-~]+) *$/i;

const nothing: ReadonlySet<Permission> = new Set();

/** A project key's role is predefined and never changes, so neither does its caller. */
const projectKeyCallers = new WeakMap<ProjectKeyRecord, Caller>();

/**
 * The caller of `Authorization: Bearer …` or, without that header, of `x-api-key` or Azure's `api-key`; null without a
 * valid key or session.
 */
export function authenticate(context: AuthenticationContext, headers: RequestHeaders): Caller | null {
  const token = readToken(headers);
  if (!token) return null;
  const hash = hashToken(token);
  if (hash === null) return null;
  const caller = token.startsWith("gk_") ? findKeyCaller(context, hash) : findTokenCaller(context, hash);
  if (caller) rememberToken(token, hash);
  return caller && narrowCaller(caller, headers.get(ROLE_VIEW_HEADER));
}

/**
 * The caller as they are now, for a request that has waited since it was authenticated.
 * @throws Refusal 401 once the key or the session has ended.
 */
export function authenticateAgain(context: AuthenticationContext, headers: RequestHeaders): Caller {
  const caller = authenticate(context, headers);
  if (!caller) throw unauthenticated();
  return caller;
}

function findTokenCaller(context: AuthenticationContext, hash: string): Caller | null {
  const session = context.sessionCache.find(hash, context.runtime.clock.nowMs());
  return session ? findSessionCaller(context, session) : null;
}

function readToken(headers: RequestHeaders): string | null | undefined {
  const authorization = headers.get("authorization");
  return authorization === null
    ? (headers.get("x-api-key") ?? headers.get("api-key"))
    : BEARER.exec(authorization)?.[1];
}

/** A hint for a caller who sent a model provider's key instead of one of ours. */
export function describeTokenHint(headers: RequestHeaders): string {
  const isProviders = readToken(headers)?.startsWith("sk-") ?? false;
  return isProviders
    ? " Keys of this gateway begin with gk_; the one sent begins with sk-, as a provider's own do."
    : "";
}

function findKeyCaller({ keyCache, graph, runtime }: AuthenticationContext, hash: string): Caller | null {
  const active = keyCache.find(hash, runtime.clock.nowMs());
  return active ? findActiveKeyCaller(graph, active) : null;
}

/**
 * Returns the caller with a key's id or, for a session, a member's id, for work that continues after its request. Null
 * once the key is revoked or has expired, or the member was removed or deactivated.
 */
export function findCallerByKeyId(
  { keyCache, graph, userCache, runtime }: Omit<AuthenticationContext, "sessionCache">,
  id: string,
): Caller | null {
  const active = keyCache.findById(id, runtime.clock.nowMs());
  if (active) return findActiveKeyCaller(graph, active);
  const member = userCache.findActive(id);
  return member ? createMemberCaller(graph, member, { id, expiresAtMs: null }) : null;
}

/** Finds a caller like `findCallerByKeyId`; for an expired key, the caller with the key that it was rotated to. */
export function findPresentCaller(
  context: Omit<AuthenticationContext, "sessionCache">,
  id: string,
): Caller | null {
  const { keyCache, runtime } = context;
  return findCallerByKeyId(context, keyCache.findPresent(id, runtime.clock.nowMs())?.key.id ?? id);
}

function createMemberCaller(
  graph: AccessGraph,
  { id, name }: { readonly id: string; readonly name: string },
  session: Pick<Caller, "id" | "expiresAtMs">,
): Caller {
  const self = { kind: "session" as const, ...session, projectId: null, keyId: id, name };
  return { ...self, ...readAccess(graph, { kind: "user", id }) };
}

function findActiveKeyCaller(graph: AccessGraph, active: ActiveKey): Caller {
  if (active.kind === "admin_key") return createAdminKeyCaller(graph, active.key);
  const cached = projectKeyCallers.get(active.key);
  if (cached) return cached;
  const { id, name, projectId, expiresAtMs, serviceAccount, scope } = active.key;
  const roleId = toProjectRoleId(serviceAccount?.role ?? "member");
  const self = { kind: "project_key" as const, id, keyId: id, name, projectId, expiresAtMs, scope };
  const access = readAccess(graph, { kind: "role", id: roleId });
  const caller: Caller = {
    ...self,
    ...access,
    // A role held in a project grants nothing in the organization or in other projects.
    permissionsIn: (grantedIn) => (grantedIn === projectId ? access.permissions : nothing),
  };
  projectKeyCallers.set(active.key, caller);
  return caller;
}

function createAdminKeyCaller(graph: AccessGraph, { id, name, roleId, expiresAtMs }: AdminKeyRecord): Caller {
  const self = { kind: "admin_key" as const, id, keyId: id, name, projectId: null, expiresAtMs };
  return { ...self, ...readAccess(graph, { kind: "role", id: roleId }) };
}

function findSessionCaller(
  { keyCache, graph, userCache, runtime }: AuthenticationContext,
  { id, actor, expiresAtMs }: SessionRecord,
): Caller | null {
  if (actor.kind === "admin_key") {
    const session = { kind: "session" as const, id, projectId: null };
    const key = keyCache.findAdminKey(actor.id, runtime.clock.nowMs());
    if (!key) return null;
    const endsAtMs = Math.min(expiresAtMs, key.expiresAtMs ?? Number.POSITIVE_INFINITY);
    return { ...createAdminKeyCaller(graph, key), ...session, expiresAtMs: endsAtMs };
  }
  const user = userCache.findActive(actor.id);
  return user ? createMemberCaller(graph, user, { id, expiresAtMs }) : null;
}

function readAccess(graph: AccessGraph, holder: Holder) {
  const permissionsIn = (projectId: string | null) => graph.findPermissions(holder, projectId);
  const roles = listRoles(graph, holder).map(({ id, name }) => ({ id, name }));
  const holdsAnywhere = (permission: Permission) => graph.holdsAnywhere(holder, permission);
  return { holder, roles, permissions: permissionsIn(null), permissionsIn, holdsAnywhere };
}

function listRoles(graph: AccessGraph, { kind, id }: Holder): Role[] {
  if (kind === "user") return [...new Set(graph.listUserRoles(id, null).map(({ role }) => role))];
  const role = graph.findRole(id);
  return role ? [role] : [];
}

/**
 * The hash that a token is stored and looked up by; null for a key with a wrong checksum. Tokens without a key's prefix
 * are session tokens and have no checksum.
 */
function hashToken(token: string): string | null {
  const cached = hashByToken.get(token);
  if (cached !== undefined) return cached;
  if (token.length > MAX_TOKEN_LENGTH) return null;
  if (token.startsWith("gk_") && findKeyKind(token) === null) return null;
  return hashSecret(token);
}

/** Caches a valid token's hash. Other tokens are never cached, since anyone can send them. */
function rememberToken(token: string, hash: string): void {
  if (hashByToken.has(token)) return;
  if (hashByToken.size >= MAX_CACHED_HASHES) hashByToken.clear();
  hashByToken.set(token, hash);
}

export type ActorContext = Omit<AuthenticationContext, "sessionCache">;

/** An actor with their present permissions; null for a removed or deactivated member, or a revoked or expired key. */
export function resolveActor(
  { keyCache, userCache, graph, runtime }: ActorContext,
  { kind, id }: ActorRef,
): Actor | null {
  const actor = (holder: Holder): Actor => ({
    holder,
    permissionsIn: (projectId) => graph.findPermissions(holder, projectId),
  });
  if (kind === "user") return userCache.findActive(id) ? actor({ kind, id }) : null;
  const key = keyCache.findAdminKey(id, runtime.clock.nowMs());
  return key ? actor({ kind: "role", id: key.roleId }) : null;
}

/**
 * The caller with at most what a role allows, and only to read: what they may not see themselves stays hidden. `header`
 * is that of a view, null without one.
 */
function narrowCaller(caller: Caller, header: string | null): Caller {
  if (header === null) return caller;
  const view: RoleView = readRoleView(header);
  const allowed = new Set(view.permissions);
  const permissionsIn = (projectId: string | null) =>
    view.projectId === null || view.projectId === projectId
      ? new Set([...caller.permissionsIn(projectId)].filter((permission) => allowed.has(permission)))
      : nothing;
  return {
    ...caller,
    isReadOnly: true,
    permissionsIn,
    permissions: permissionsIn(caller.projectId),
    holdsAnywhere: (permission) =>
      allowed.has(permission) &&
      (view.projectId === null
        ? caller.holdsAnywhere(permission)
        : caller.permissionsIn(view.projectId).has(permission)),
  };
}
