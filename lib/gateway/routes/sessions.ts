import { kindOfSecretKey } from "@/lib/contract/secret-keys";
import type { Caller } from "../auth/caller";
import type { Keyring } from "../keys/keyring";
import type { UserBook } from "../members/user-book";
import type { Effects } from "../ports/effects";
import { hashSecret } from "../ports/hash";
import { invalid, unauthenticated } from "../ports/refusal";
import type { AccessGraph } from "../roles/access-graph";
import { endSession } from "../sessions/end-session";
import { redeemSignInToken, type SessionContext, startSession } from "../sessions/start-session";
import type { Handlers } from "./handler";
import { toUnixSeconds } from "./unix-seconds";

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

export function sessionRoutes(
  context: SessionContext & {
    keyring: Keyring;
    organization: Organization;
    graph: AccessGraph;
    userBook: UserBook;
  },
): Handlers<"retrieveMe" | "createSession" | "deleteCurrentSession"> {
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
    createSession: async ({ body }) => {
      const { session, token } =
        "key" in body
          ? await startSession(context, { kind: "admin_key", id: adminKeyId(context, body.key) })
          : await redeemSignInToken(context, body.sign_in_token);
      return {
        object: "organization.session",
        id: session.id,
        token,
        expires_at: toUnixSeconds(session.expiresAtMs),
      };
    },
    deleteCurrentSession: async ({ caller }) => {
      requireSession(caller);
      await endSession(context, caller.id);
      return { object: "organization.session.deleted", id: caller.id, deleted: true };
    },
  };
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
