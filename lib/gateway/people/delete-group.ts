import { type ChangeRequest, change } from "../changes/change";
import { type Actor, refuseLackedRolePermissions, refuseLostOwnership } from "../roles/actor";
import type { GroupContext } from "./create-group";
import { findGroup } from "./find-group";

/**
 * Deletes a group and its role assignments; its members stay members.
 * @throws Refusal 404; 403 and 409 as for those roles.
 */
export function deleteGroup(
  context: GroupContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { groups, groupMirror, graph } = context;
  return change(context, request, async (transaction) => {
    findGroup(groupMirror, id);
    refuseLackedRolePermissions(actor, graph.directRoles({ id }));
    refuseLostOwnership(graph, actor, (records) => records.removePrincipal({ kind: "group", id }));
    await groups.delete(transaction, id);
  });
}
