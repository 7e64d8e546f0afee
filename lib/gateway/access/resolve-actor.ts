import type { KeyCreator } from "../keys/key-records";
import type { Holder } from "../roles/access-graph";
import type { Actor, ActorRef } from "../roles/actor";
import type { AuthenticationContext } from "./authenticate";
import type { Caller } from "./caller";

export type ActorContext = Omit<AuthenticationContext, "sessionCache">;

/** The member or admin key that a caller acts for. */
export function toActorRef({ holder, keyId }: Caller): ActorRef {
  return holder.kind === "user" ? { kind: "user", id: holder.id } : { kind: "admin_key", id: keyId };
}

/** The member or key that a caller's changes are recorded under, with its present name. */
export function toKeyCreator({ kind, holder, keyId, name }: Caller): KeyCreator {
  if (holder.kind === "user") return { kind: "user", id: holder.id, name };
  return { kind: kind === "project_key" ? "project_api_key" : "admin_api_key", id: keyId, name };
}

/** An actor with their present permissions; null for a removed member and for a revoked or expired key. */
export function resolveActor(
  { keyCache, userCache, graph, runtime }: ActorContext,
  { kind, id }: ActorRef,
): Actor | null {
  const actor = (holder: Holder): Actor => ({
    holder,
    permissionsIn: (projectId) => graph.findPermissions(holder, projectId),
  });
  if (kind === "user") return userCache.find(id) ? actor({ kind, id }) : null;
  const key = keyCache.findAdminKey(id, runtime.clock.nowMs());
  return key ? actor({ kind: "role", id: key.roleId }) : null;
}
