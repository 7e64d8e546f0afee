import { type ChangeRequest, change } from "../changes/change";
import { conflict } from "../refusal";
import type { Actor } from "./actor";
import { findChangeableRole, type RoleReference } from "./find-role";
import { refuseLackedPermission } from "./refuse-access-change";
import type { RoleContext } from "./role-context";

/**
 * Deletes a role.
 * @throws Refusal 404; 403 for a predefined role and for one with more permissions than the actor; 409 while a member,
 * a group, a key or an invitation holds it.
 */
export function deleteRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  { scope, id }: RoleReference,
): Promise<void> {
  const { roles, graph, effects } = context;
  return change(context, request, async (transaction) => {
    const { name, permissions } = findChangeableRole(graph, { scope, id });
    refuseLackedPermission(actor, permissions, scope);
    const inUse = (message: string) => conflict("role_id", message, "in_use");
    if (graph.assignments().some(({ roleId }) => roleId === id)) {
      throw inUse(`Members or groups hold the role "${name}"; take it from them first.`);
    }
    if (await roles.isHeldByKey(id)) {
      throw inUse(`A key holds the role "${name}"; delete that key first.`);
    }
    if (await roles.isInPendingInvite(id, effects.clock.nowMs())) {
      throw inUse(`An invitation carries the role "${name}"; withdraw it first.`);
    }
    await roles.delete(transaction, id);
  });
}
