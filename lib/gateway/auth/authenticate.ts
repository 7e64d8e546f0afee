import { type PredefinedRole, predefinedRoles, projectMemberRole } from "@/lib/contract/predefined-roles";
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

const BEARER = /^bearer +([!-~]+) *$/i;

const callersOfProjectKeys = new WeakMap<ProjectKeyRecord, Caller>();
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

function callerOfKey({ keyring }: AuthenticationContext, hash: string): Caller | null {
  const active = keyring.find(hash);
  if (!active) return null;
  if (active.kind === "admin_key") return adminCaller(active.key);
  const known = callersOfProjectKeys.get(active.key);
  if (known) return known;
  const { id, name, projectId } = active.key;
  const caller: Caller = {
    kind: "project_key",
    id,
    keyId: id,
    name,
    projectId,
    expiresAtMs: null,
    ...grantOf(projectMemberRole),
  };
  callersOfProjectKeys.set(active.key, caller);
  return caller;
}

function callerOfSession(
  { keyring, sessionBook, effects }: AuthenticationContext,
  hash: string,
): Caller | null {
  const session = sessionBook.find(hash, effects.clock.nowMs());
  const key = session && keyring.findAdminKey(session.adminKeyId);
  if (!key) return null;
  return { ...adminCaller(key), kind: "session", id: session.id, expiresAtMs: session.expiresAtMs };
}

function adminCaller({ id, name, roleId }: AdminKeyRecord): Caller {
  const grant = grants.get(roleId) ?? { roles: [], permissions: new Set() };
  return { kind: "admin_key", id, keyId: id, name, projectId: null, expiresAtMs: null, ...grant };
}

function grantOf(role: PredefinedRole): Pick<Caller, "roles" | "permissions"> {
  return { roles: [{ id: role.id, name: role.name }], permissions: new Set(role.permissions) };
}
