import type { OpenSession as Described, Session } from "@/lib/contract/operations/sessions";
import { kindOfSecretKey } from "@/lib/contract/secret-keys";
import type { Caller } from "../access/caller";
import { endSession } from "../access/end-session";
import { actorRefOf } from "../access/resolve-actor";
import type { OpenSession } from "../access/session-mirror";
import type { SessionRecord } from "../access/session-store";
import { redeemSignInToken, type SessionContext, startSession } from "../access/start-session";
import { type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import type { KeyMirror } from "../keys/key-mirror";
import { listInMemory } from "../lists/paged-list";
import { findUser } from "../members/find-user";
import type { UserMirror } from "../members/user-mirror";
import { invalid, unauthenticated } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { ActorRef } from "../roles/actor";
import { refuseExcessOf } from "../roles/change-access";
import { hashSecret } from "../secrets/hash-secret";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

interface Context extends SessionContext {
  readonly keyMirror: KeyMirror;
  readonly organization: Organization;
  readonly graph: AccessGraph;
  readonly userMirror: UserMirror;
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
      user: userOf(context.userMirror, caller),
      expires_at: caller.expiresAtMs === null ? null : toUnixSeconds(caller.expiresAtMs),
    }),
    createSession: async ({ body, headers, request }) => {
      const userAgent = headers.get("user-agent");
      if ("sign_in_token" in body) {
        return toSession(await redeemSignInToken(context, request, body.sign_in_token, userAgent));
      }
      return toSession(
        await change(context, request, async (transaction) => {
          const holder = { kind: "admin_key" as const, id: adminKeyId(context, body.key) };
          return startSession(context, transaction, holder, userAgent);
        }),
      );
    },
    deleteCurrentSession: async ({ caller, request }) => {
      requireSession(caller);
      return endSessionOf(context, request, actorRefOf(caller), caller.id);
    },
    listSessions: ({ caller, query }) =>
      paginate(sessionsOf(context, actorRefOf(caller)), query, (session) => describe(session, caller.id)),
    deleteSession: ({ caller, params, request }) =>
      endSessionOf(context, request, actorRefOf(caller), params.session_id),
    listUserSessions: async ({ caller, params: { user_id: id }, query }) => {
      findUser(context.userMirror, id);
      const sessions = sessionsOf(context, { kind: "user", id });
      return paginate(sessions, query, (session) => describe(session, caller.id));
    },
    deleteUserSession: async ({ caller, params: { user_id: id, session_id }, request }) => {
      findUser(context.userMirror, id);
      refuseExcessOf(caller, context.graph.rolesOfUser(id));
      return endSessionOf(context, request, { kind: "user", id }, session_id);
    },
  };
}

/** A session that was just opened, as its reply shows it this once. */
export function toSession({ session, token }: { session: SessionRecord; token: string }): Session {
  const expires_at = toUnixSeconds(session.expiresAtMs);
  return { object: "organization.session", id: session.id, token, expires_at };
}

function sessionsOf({ sessionMirror, effects }: Context, holder: ActorRef) {
  return listInMemory(sessionMirror.listOf(holder, effects.clock.nowMs()));
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

async function endSessionOf(context: Context, request: ChangeRequest, holder: ActorRef, id: string) {
  await endSession(context, request, holder, id);
  return { object: "organization.session.deleted" as const, id, deleted: true as const };
}

function projectPermissions(graph: AccessGraph, { projectId, holder, permissions }: Caller) {
  const held = projectId === null ? graph.projectPermissionsOf(holder) : [[projectId, permissions] as const];
  return [...held].map(([project_id, those]) => ({ project_id, permissions: [...those] }));
}

function userOf(userMirror: UserMirror, { holder }: Caller) {
  const user = holder.kind === "user" ? userMirror.find(holder.id) : undefined;
  return user ? { id: user.id, email: user.email } : null;
}

function adminKeyId({ keyMirror, effects }: { keyMirror: KeyMirror; effects: Effects }, key: string): string {
  const isAdminKey = kindOfSecretKey(key) === "gk_admin_";
  const active = isAdminKey ? keyMirror.find(hashSecret(key), effects.clock.nowMs()) : undefined;
  if (active?.kind !== "admin_key") throw unauthenticated();
  return active.key.id;
}

function requireSession(caller: Caller): void {
  if (caller.kind === "session") return;
  throw invalid("authorization", "Only a session can be ended here; a key is revoked by deleting it.");
}
