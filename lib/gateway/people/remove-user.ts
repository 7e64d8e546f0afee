import { type ChangeRequest, change } from "../changes/change";
import { type Actor, refuseLostOwnership } from "../roles/actor";
import type { UserContext } from "./change-user";
import { findManageableUser } from "./find-user";

/**
 * Removes a member with their roles, groups and sessions, with immediate effect.
 * @throws Refusal 404; 403 for a member with more permissions than the actor, and for an Owner removing themselves; 409
 * for the last Owner.
 */
export function removeUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { graph, users, effects } = context;
  return change(context, request, async (transaction) => {
    findManageableUser(context, actor, id);
    refuseLostOwnership(graph, actor, (records) => records.removePrincipal({ kind: "user", id }));
    await users.remove(transaction, id, effects.clock.nowMs());
  });
}
