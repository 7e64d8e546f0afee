import type { OpenSession as Described, Session } from "@/lib/contract/operations/sessions";
import { kindOfSecretKey } from "@/lib/contract/secret-keys";
import { authorOf } from "../auth/actor-behind";
import type { Caller } from "../auth/caller";
import type { Keyring } from "../keys/keyring";
import { findUser } from "../members/find-user";
import type { UserBook } from "../members/user-book";
import type { Effects } from "../ports/effects";
import { listInMemory } from "../ports/paged-list";
import { invalid, notFound, unauthenticated } from "../ports/refusal";
import type { AccessGraph } from "../roles/access-graph";
import { refuseExcessOf } from "../roles/change-access";
import { hashSecret } from "../secrets/hash-secret";
import { endSession } from "../sessions/end-session";
import type { OpenSession } from "../sessions/session-book";
import type { SessionHolder, SessionRecord } from "../sessions/session-store";
import { redeemSignInToken, type SessionContext, startSession } from "../sessions/start-session";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

interface Context extends SessionContext {
  readonly keyring: Keyring;
  readonly organization: Organization;
  readonly graph: AccessGraph;
  readonly userBook: UserBook;
}

type Ids =
  | "retrieveMe"
  | "createSession"
  | "deleteCurrentSession"
  | "listSessions"
  | "deleteSession"
  | "listUserSessions"
  | "deleteUserSession";

export function sessionRoutes(context: Context): Handlers<Ids> {
  return {
    retrieveMe: async ({ caller }) => ({
      object: "organization.me",
      kind: caller.kind,
      id: caller.id,
      name: caller.name,
      organization: context.organization,
      project_id: caller.projectId,
      roles: [...caller.roles],
      permissions: [...caller.permissions],
      project_permissions: projectPermissions(context.graph, caller),
      user: userOf(context.userBook, caller),
      expires_at: caller.expiresAtMs === null ? null : toUnixSeconds(caller.expiresAtMs),
    }),
    createSession: async ({ body, headers }) => {
      const userAgent = headers.get("user-agent");
      if ("sign_in_token" in body) {
        return toSession(await redeemSignInToken(context, body.sign_in_token, userAgent));
      }
      const holder = { kind: "admin_key" as const, id: adminKeyId(context, body.key) };
      return toSession(await startSession(context, holder, userAgent));
    },
    deleteCurrentSession: async ({ caller }) => {
      requireSession(caller);
      await endSession(context, caller.id);
      return toEnded(caller.id);
    },
    listSessions: ({ caller, query }) =>
      paginate(sessionsOf(context, authorOf(caller)), query, (session) => describe(session, caller.id)),
    deleteSession: ({ caller, params }) => endSessionOf(context, authorOf(caller), params.session_id),
    listUserSessions: async ({ caller, params: { user_id: id }, query }) => {
      findUser(context.userBook, id);
      const sessions = sessionsOf(context, { kind: "user", id });
      return paginate(sessions, query, (session) => describe(session, caller.id));
    },
    deleteUserSession: async ({ caller, params: { user_id: id, session_id } }) => {
      findUser(context.userBook, id);
      refuseExcessOf(caller, context.graph.rolesOfUser(id));
      return endSessionOf(context, { kind: "user", id }, session_id);
    },
  };
}

/** A session that was just opened, as its reply shows it this once. */
export function toSession({ session, token }: { session: SessionRecord; token: string }): Session {
  const expires_at = toUnixSeconds(session.expiresAtMs);
  return { object: "organization.session", id: session.id, token, expires_at };
}

function toEnded(id: string) {
  return { object: "organization.session.deleted" as const, id, deleted: true as const };
}

function sessionsOf({ sessionBook, effects }: Context, holder: SessionHolder) {
  return listInMemory(sessionBook.listOf(holder, effects.clock.nowMs()));
}

function describe(session: OpenSession, currentId: string): Described {
  return {
    object: "organization.session",
    id: session.id,
    current: session.id === currentId,
    user_agent: session.userAgent,
    created_at: toUnixSeconds(session.createdAtMs),
    last_used_at: toNullableUnixSeconds(session.lastUsedAtMs),
    expires_at: toUnixSeconds(session.expiresAtMs),
  };
}

/** @throws Refusal 404 for a session that is over or another's. */
async function endSessionOf(context: Context, holder: SessionHolder, id: string) {
  const open = context.sessionBook.listOf(holder, context.effects.clock.nowMs());
  if (!open.some((session) => session.id === id)) throw notFound("session", id, "session_id");
  await endSession(context, id);
  return toEnded(id);
}

function projectPermissions(graph: AccessGraph, { projectId, holder, permissions }: Caller) {
  const held = projectId === null ? graph.projectPermissionsOf(holder) : [[projectId, permissions] as const];
  return [...held].map(([project_id, those]) => ({ project_id, permissions: [...those] }));
}

function userOf(userBook: UserBook, { holder }: Caller) {
  const user = holder.kind === "user" ? userBook.find(holder.id) : undefined;
  return user ? { id: user.id, email: user.email } : null;
}

function adminKeyId({ keyring, effects }: { keyring: Keyring; effects: Effects }, key: string): string {
  const isAdminKey = kindOfSecretKey(key) === "gk_admin_";
  const active = isAdminKey ? keyring.find(hashSecret(key), effects.clock.nowMs()) : undefined;
  if (active?.kind !== "admin_key") throw unauthenticated();
  return active.key.id;
}

function requireSession(caller: Caller): void {
  if (caller.kind === "session") return;
  throw invalid("authorization", "Only a session can be ended here; a key is revoked by deleting it.");
}
