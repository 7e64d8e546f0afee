import type { OpenSession as Described, Session } from "@/lib/contract/operations/sign-in/sessions";
import { type Caller, toActorRef } from "../../access/caller";
import type { SessionRecord } from "../../access/session-store.sql";
import {
  endCurrentSession,
  endSession,
  endUserSession,
  type OpenSession,
  type SessionContext,
} from "../../access/sessions";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { KeyCache } from "../../keys/key-cache";
import { listInMemory } from "../../lists/paged-list";
import { findUser, type UserCache } from "../../people/members";
import type { Organization } from "../../projects/organization-store.sql";
import type { AccessGraph } from "../../roles/access-graph";
import type { ActorRef } from "../../roles/actor";
import { signInByLink, signInWithKey } from "../../sign-in/sign-in";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context extends SessionContext {
  readonly keyCache: KeyCache;
  readonly organization: Organization;
  readonly graph: AccessGraph;
  readonly userCache: UserCache;
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
      user: findCallingUser(context.userCache, caller),
      expires_at: caller.expiresAtMs === null ? null : toUnixSeconds(caller.expiresAtMs),
    }),
    createSession: async ({ body, headers, request }) => {
      const userAgent = headers.get("user-agent");
      return toSession(
        "key" in body
          ? await signInWithKey(context, request, body.key, userAgent)
          : await signInByLink(context, request, body.sign_in_token, userAgent),
      );
    },
    deleteCurrentSession: async ({ caller, request }) => {
      await endCurrentSession(context, request, caller);
      return describeEnded(caller.id);
    },
    listSessions: ({ caller, query }) =>
      paginate(listSessions(context, toActorRef(caller)), query, (session) => describe(session, caller.id)),
    deleteSession: async ({ caller, params: { session_id: id }, request }) => {
      await endSession(context, request, toActorRef(caller), id);
      return describeEnded(id);
    },
    listUserSessions: async ({ caller, params: { user_id: id }, query }) => {
      findUser(context.userCache, id);
      const sessions = listSessions(context, { kind: "user", id });
      return paginate(sessions, query, (session) => describe(session, caller.id));
    },
    deleteUserSession: async ({ caller, params: { user_id: userId, session_id: sessionId }, request }) => {
      await endUserSession(context, request, caller, { userId, sessionId });
      return describeEnded(sessionId);
    },
  };
}

/** A new session with its token, which is shown only this once. */
export function toSession({ session, token }: { session: SessionRecord; token: string }): Session {
  const expires_at = toUnixSeconds(session.expiresAtMs);
  return { object: "organization.session", id: session.id, token, expires_at };
}

function listSessions({ sessionCache, runtime }: Context, actor: ActorRef) {
  return listInMemory(sessionCache.listByActor(actor, runtime.clock.nowMs()));
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

function describeEnded(id: string) {
  return { object: "organization.session.deleted" as const, id, deleted: true as const };
}

function projectPermissions(graph: AccessGraph, { projectId, holder, permissionsIn }: Caller) {
  const ids = projectId === null ? graph.listProjectPermissions(holder).map(([id]) => id) : [projectId];
  return ids.map((project_id) => ({ project_id, permissions: [...permissionsIn(project_id)] }));
}

function findCallingUser(userCache: UserCache, { holder }: Caller) {
  const user = holder.kind === "user" ? userCache.find(holder.id) : undefined;
  return user ? { id: user.id, email: user.email } : null;
}
