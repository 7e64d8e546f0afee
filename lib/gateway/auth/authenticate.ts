import type { ServiceAccountRole } from "@/lib/contract/operations/service-accounts";
import {
  type PredefinedRole,
  predefinedRoles,
  projectMemberRole,
  projectOwnerRole,
} from "@/lib/contract/predefined-roles";
import { kindOfSecretKey } from "@/lib/contract/secret-keys";
import type { AdminKeyRecord, ProjectKeyRecord } from "../keys/key-store";
import type { Keyring } from "../keys/keyring";
import type { Effects } from "../ports/effects";
import { hashSecret } from "../ports/hash";
import type { SessionBook } from "../sessions/session-book";
import type { Caller } from "./caller";

export interface AuthenticationContext {
  readonly keyring: Keyring;
  readonly sessionBook: SessionBook;
  readonly effects: Effects;
}

type Grant = Pick<Caller, "roles" | "permissions">;

const BEARER = /^bearer +([!-~]+) *$/i;

const callersOfProjectKeys = new WeakMap<ProjectKeyRecord, Caller>();
const noGrant: Grant = { roles: [], permissions: new Set() };
const grantsInProject: Readonly<Record<ServiceAccountRole, Grant>> = {
  owner: grantOf(projectOwnerRole),
  member: grantOf(projectMemberRole),
  none: noGrant,
};
const grants = new Map(predefinedRoles.map((role) => [role.id, grantOf(role)]));

/** The caller behind `Authorization: Bearer …` or, where that is absent, `x-api-key`; null when there is none. */
export function authenticate(context: AuthenticationContext, headers: Headers): Caller | null {
  const authorization = headers.get("authorization");
  const token = authorization === null ? headers.get("x-api-key") : BEARER.exec(authorization)?.[1];
  if (!token) return null;
  // A mistyped key is refused by its checksum, before any look-up.
  if (token.startsWith("gk_"))
    return kindOfSecretKey(token) === null ? null : callerOfKey(context, hashSecret(token));
  return callerOfSession(context, hashSecret(token));
}

function callerOfKey({ keyring, effects }: AuthenticationContext, hash: string): Caller | null {
  const active = keyring.find(hash, effects.clock.nowMs());
  if (!active) return null;
  if (active.kind === "admin_key") return adminCaller(active.key);
  const known = callersOfProjectKeys.get(active.key);
  if (known) return known;
  const { id, name, projectId, expiresAtMs, serviceAccount } = active.key;
  const caller: Caller = {
    kind: "project_key",
    id,
    keyId: id,
    name,
    projectId,
    expiresAtMs,
    ...grantsInProject[serviceAccount?.role ?? "member"],
  };
  callersOfProjectKeys.set(active.key, caller);
  return caller;
}

function callerOfSession(
  { keyring, sessionBook, effects }: AuthenticationContext,
  hash: string,
): Caller | null {
  const now = effects.clock.nowMs();
  const session = sessionBook.find(hash, now);
  const key = session && keyring.findAdminKey(session.adminKeyId, now);
  if (!key) return null;
  const expiresAtMs = Math.min(session.expiresAtMs, key.expiresAtMs ?? Number.POSITIVE_INFINITY);
  return { ...adminCaller(key), kind: "session", id: session.id, expiresAtMs };
}

function adminCaller({ id, name, roleId, expiresAtMs }: AdminKeyRecord): Caller {
  return {
    kind: "admin_key",
    id,
    keyId: id,
    name,
    projectId: null,
    expiresAtMs,
    ...(grants.get(roleId) ?? noGrant),
  };
}

function grantOf(role: PredefinedRole): Grant {
  return { roles: [{ id: role.id, name: role.name }], permissions: new Set(role.permissions) };
}
