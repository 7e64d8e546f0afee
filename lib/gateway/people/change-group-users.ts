import { type ChangeRequest, change } from "../changes/change";
import { conflict, notFound } from "../refusal";
import { type Actor, refuseLackedRolePermissions, refuseLostOwnership } from "../roles/actor";
import type { GroupContext } from "./create-group";
import { findGroup } from "./find-group";
import { findUser } from "./find-user";
import type { UserMirror } from "./user-mirror";
import type { UserRecord } from "./user-store";

export interface GroupUserContext extends GroupContext {
  readonly userMirror: UserMirror;
}

/** A member and a group. */
interface GroupMembership {
  readonly groupId: string;
  readonly userId: string;
}

/**
 * Adds a member to a group.
 * @throws Refusal 404; 409 if they are already in it; 403 for a group with more permissions than the actor.
 */
export function addGroupUser(
  context: GroupUserContext,
  request: ChangeRequest,
  actor: Actor,
  { groupId, userId }: GroupMembership,
): Promise<void> {
  const { groups, groupMirror, userMirror, graph, effects } = context;
  return change(context, request, async (transaction) => {
    const { name } = findGroup(groupMirror, groupId);
    findUser(userMirror, userId);
    if (graph.listGroups(userId).includes(groupId)) {
      throw conflict("user_id", `This member is in "${name}" already.`);
    }
    refuseLackedRolePermissions(actor, graph.directRoles({ id: groupId }));
    refuseLostOwnership(graph, actor, (records) => records.addToGroup(groupId, userId));
    await groups.addUser(transaction, groupId, userId, effects.clock.nowMs());
  });
}

/** Removes a member from a group. @throws Refusal 404; 403 and 409 as for the roles of the group. */
export function removeGroupUser(
  context: GroupUserContext,
  request: ChangeRequest,
  actor: Actor,
  membership: GroupMembership,
): Promise<void> {
  const { groups, graph } = context;
  return change(context, request, async (transaction) => {
    findGroupUser(context, membership);
    const { groupId, userId } = membership;
    refuseLackedRolePermissions(actor, graph.directRoles({ id: groupId }));
    refuseLostOwnership(graph, actor, (records) => records.removeFromGroup(groupId, userId));
    await groups.removeUser(transaction, groupId, userId);
  });
}

/** @throws Refusal 404 if the member is not in the group. */
export function findGroupUser(
  { groupMirror, userMirror, graph }: Pick<GroupUserContext, "groupMirror" | "userMirror" | "graph">,
  { groupId, userId }: GroupMembership,
): UserRecord {
  findGroup(groupMirror, groupId);
  if (!graph.listGroups(userId).includes(groupId)) throw notFound("user in this group", userId, "user_id");
  return findUser(userMirror, userId);
}
