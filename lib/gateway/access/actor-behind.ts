import type { Author } from "../ports/author";
import type { Holder } from "../roles/access-graph";
import type { Actor } from "../roles/change-access";
import type { AuthenticationContext } from "./authenticate";
import type { Caller } from "./caller";

export type AuthorContext = Omit<AuthenticationContext, "sessionMirror">;

/** Whom a caller speaks for: the member, or the admin key. */
export function authorOf({ holder, keyId }: Caller): Author {
  return holder.kind === "user" ? { kind: "user", id: holder.id } : { kind: "admin_key", id: keyId };
}

/** An author with their present rights; null for a removed member and for a revoked or expired key. */
export function actorBehind(
  { keyMirror, userMirror, graph, effects }: AuthorContext,
  { kind, id }: Author,
): Actor | null {
  const actor = (holder: Holder): Actor => ({
    holder,
    permissionsIn: (projectId) => graph.permissionsOf(holder, projectId),
  });
  if (kind === "user") return userMirror.find(id) ? actor({ kind, id }) : null;
  const key = keyMirror.findAdminKey(id, effects.clock.nowMs());
  return key ? actor({ kind: "role", id: key.roleId }) : null;
}
