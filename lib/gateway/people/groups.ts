import { toProjectRoleId } from "@/lib/contract/access/role-words";
import { newId } from "@/lib/contract/ids";
import type { GroupChange, GroupDraft } from "@/lib/contract/operations/people/groups";
import type { ProjectGroupDraft } from "@/lib/contract/operations/projects/projects";
import { foldName } from "@/lib/contract/plain-text";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { ClockAndRandom } from "../clock";
import { conflict, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedRolePermissions, refuseLostOwnership } from "../roles/actor";
import { replaceRoles } from "../roles/role-assignments";
import { findRole, type RoleContext } from "../roles/roles";
import type { GroupRecord, GroupStore } from "./group-store.sql";
import { findUser, type UserCache } from "./members";
import type { UserRecord } from "./user-store.sql";

/** The groups in memory. */
export class GroupCache {
  readonly #rows: CachedRows<GroupRecord>;

  constructor(groups: readonly GroupRecord[] = []) {
    this.#rows = new CachedRows(groups);
  }

  find(id: string): GroupRecord | undefined {
    return this.#rows.find(id);
  }

  /** Oldest first. */
  list(): GroupRecord[] {
    return this.#rows.list();
  }

  /** @throws Refusal 409 if another group has the name, or one that looks like it. */
  refuseTakenName(name: string, ownId: string | null): void {
    const namesake = this.list().find(
      (group) => group.id !== ownId && foldName(group.name) === foldName(name),
    );
    if (namesake)
      throw conflict("name", `There is a group "${namesake.name}" already; give this one another name.`);
  }

  following(store: Pick<GroupStore, "list" | "find">): TableCache {
    return this.#rows.following("groups", store);
  }
}

/** @throws Refusal 404 when there is no such group. */
export function findGroup(groupCache: GroupCache, id: string): GroupRecord {
  const group = groupCache.find(id);
  if (!group) throw notFound("group", id, "group_id");
  return group;
}

export interface GroupContext extends ChangeContext {
  readonly groups: GroupStore;
  readonly groupCache: GroupCache;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
}

/** Creates a group without members or roles. @throws Refusal 409 if its name is taken. */
export function createGroup(
  context: GroupContext,
  request: ChangeRequest,
  { name }: GroupDraft,
): Promise<GroupRecord> {
  const { groups, groupCache, runtime } = context;
  return change(context, request, async (transaction) => {
    groupCache.refuseTakenName(name, null);
    const createdAtMs = runtime.clock.nowMs();
    const id = newId("group", createdAtMs, runtime.random);
    const group = { id, name, createdAtMs, externalId: null, isScimManaged: false };
    await groups.insert(transaction, group);
    return group;
  });
}

/**
 * Renames a group, or takes it from its directory.
 * @throws Refusal 404; 409 if the name is taken, or a directory decides it.
 */
export function changeGroup(
  context: GroupContext,
  request: ChangeRequest,
  id: string,
  { name, is_scim_managed: isScimManaged }: GroupChange,
): Promise<GroupRecord> {
  const { groups, groupCache } = context;
  return change(context, request, async (transaction) => {
    const before = findGroup(groupCache, id);
    const group = { ...before, isScimManaged: isScimManaged ?? before.isScimManaged };
    if (name !== undefined && name !== before.name) {
      refuseKeptByDirectory(group);
      groupCache.refuseTakenName(name, id);
    }
    const changed = { ...group, name: name ?? before.name };
    await groups.update(transaction, changed);
    return changed;
  });
}

/** @throws Refusal 409 if a directory decides the group's name and who is in it. */
export function refuseKeptByDirectory({ name, isScimManaged }: GroupRecord): void {
  if (!isScimManaged) return;
  const message = `The directory keeps "${name}": change it there, or take the group from the directory first.`;
  throw conflict("group_id", message, "kept_by_directory");
}

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
  const { groups, groupCache, graph } = context;
  return change(context, request, async (transaction) => {
    findGroup(groupCache, id);
    refuseLackedRolePermissions(actor, graph.directRoles({ id }));
    refuseLostOwnership(graph, actor, (records) => records.removePrincipal({ kind: "group", id }));
    await groups.delete(transaction, id);
  });
}

export interface GroupUserContext extends GroupContext {
  readonly userCache: UserCache;
}

/** A member and a group. */
interface GroupMembership {
  readonly groupId: string;
  readonly userId: string;
}

/**
 * Adds a member to a group.
 * @throws Refusal 404; 409 if they are already in it or a directory decides who is; 403 for a group with more
 * permissions than the actor.
 */
export function addGroupUser(
  context: GroupUserContext,
  request: ChangeRequest,
  actor: Actor,
  { groupId, userId }: GroupMembership,
): Promise<void> {
  const { groups, groupCache, userCache, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    const group = findGroup(groupCache, groupId);
    refuseKeptByDirectory(group);
    findUser(userCache, userId);
    if (graph.listGroups(userId).includes(groupId)) {
      throw conflict("user_id", `This member is in "${group.name}" already.`);
    }
    refuseLackedRolePermissions(actor, graph.directRoles({ id: groupId }));
    refuseLostOwnership(graph, actor, (records) => records.addToGroup(groupId, userId));
    await groups.addUser(transaction, groupId, userId, runtime.clock.nowMs());
  });
}

/** Removes a member from a group. @throws Refusal 404; 403 and 409 as for the roles of the group. */
export function removeGroupUser(
  context: GroupUserContext,
  request: ChangeRequest,
  actor: Actor,
  membership: GroupMembership,
): Promise<void> {
  const { groups, groupCache, graph } = context;
  return change(context, request, async (transaction) => {
    findGroupUser(context, membership);
    const { groupId, userId } = membership;
    refuseKeptByDirectory(findGroup(groupCache, groupId));
    refuseLackedRolePermissions(actor, graph.directRoles({ id: groupId }));
    refuseLostOwnership(graph, actor, (records) => records.removeFromGroup(groupId, userId));
    await groups.removeUser(transaction, groupId, userId);
  });
}

/** @throws Refusal 404 if the member is not in the group. */
export function findGroupUser(
  { groupCache, userCache, graph }: Pick<GroupUserContext, "groupCache" | "userCache" | "graph">,
  { groupId, userId }: GroupMembership,
): UserRecord {
  findGroup(groupCache, groupId);
  if (!graph.listGroups(userId).includes(groupId)) throw notFound("user in this group", userId, "user_id");
  return findUser(userCache, userId);
}

export interface ProjectGroupContext extends RoleContext {
  readonly groupCache: GroupCache;
}

/** Gives a group a role in a project. @throws Refusal 404; 409 if it already has one; and as `replaceRoles`. */
export function addProjectGroup(
  context: ProjectGroupContext,
  request: ChangeRequest,
  actor: Actor,
  projectId: string,
  draft: ProjectGroupDraft,
): Promise<void> {
  const { graph, groupCache } = context;
  return change(context, request, async (transaction) => {
    const { id, name } = findGroup(groupCache, draft.group_id);
    if (graph.directRoles({ id }, projectId).length > 0) {
      throw conflict("group_id", `The group "${name}" is in this project already.`);
    }
    const role = findRole(graph, toProjectRoleId(draft.role), projectId, "role");
    await replaceRoles(context, transaction, actor, toRoleTarget(id, projectId), [role]);
  });
}

/** Removes all roles that a group holds in a project. @throws Refusal 404, and as `replaceRoles`. */
export function removeProjectGroup(
  context: ProjectGroupContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, groupId }: { projectId: string; groupId: string },
): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id } = findProjectGroup(context, projectId, groupId);
    await replaceRoles(context, transaction, actor, toRoleTarget(id, projectId), []);
  });
}

/** @throws Refusal 404 if the group holds no role in the project. */
export function findProjectGroup(
  { groupCache, graph }: Pick<ProjectGroupContext, "groupCache" | "graph">,
  projectId: string,
  groupId: string,
): GroupRecord {
  if (graph.directRoles({ id: groupId }, projectId).length > 0) return findGroup(groupCache, groupId);
  throw notFound("group in this project", groupId, "group_id");
}

function toRoleTarget(id: string, projectId: string) {
  return { principal: { kind: "group" as const, id }, projectId };
}
