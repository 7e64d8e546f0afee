import type { Permission } from "@/lib/contract/access/permissions";
import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import type { UserAction, UserChanges } from "@/lib/contract/operations/people/users";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import { type ProjectCache, refuseArchived } from "../projects/projects";
import { catchRefusal, missingPermission, notFound, type Refusal } from "../refusal";
import type { AccessGraph, AccessRecords, Role } from "../roles/access-graph";
import {
  type Actor,
  refuseLackedPermission,
  refuseLackedRolePermissions,
  refuseLostOwnership,
} from "../roles/actor";
import type { RoleAssignment } from "../roles/role-store.sql";
import { findRole } from "../roles/roles";
import { findGroup, type GroupUserContext, refuseKeptByDirectory } from "./groups";
import { findUser, type UserContext } from "./members";
import type { UserRecord } from "./user-store.sql";

export interface UserChangesContext extends UserContext, GroupUserContext {
  readonly projectCache: Pick<ProjectCache, "find">;
}

/** What is done to one member. */
interface Step {
  readonly isChanged: boolean;
  /** @throws Refusal if the actor may not do it to this member. */
  refuse(): void;
  apply(records: AccessRecords): void;
  write(transaction: Transaction): Promise<void>;
}

interface ChangedUser {
  readonly user: UserRecord;
  readonly isChanged: boolean;
  readonly gains: readonly Permission[];
  readonly loses: readonly Permission[];
}

export interface UserChangesPreview {
  readonly members: readonly ChangedUser[];
  /** Who may do what after the change. */
  readonly graphAfter: AccessGraph;
  /** Why the actor may not make the change, and because of which member; null if they may. */
  readonly refusal: { readonly error: Refusal; readonly userId: string | null } | null;
}

/**
 * Does one thing to many members: all or none.
 * @throws Refusal 404 for an unknown member, role, project or group; 403 for what the actor lacks; 409 if no owner
 * would be left.
 */
export function changeUsers(
  context: UserChangesContext,
  request: ChangeRequest,
  actor: Actor,
  changes: UserChanges,
): Promise<readonly ChangedUser[]> {
  return change(context, request, async (transaction) => {
    const steps = planSteps(context, actor, changes);
    const { members, refusal } = judge(context, actor, steps, changes.action);
    if (refusal) throw refusal.error;
    for (const { step } of steps) if (step.isChanged) await step.write(transaction);
    return members;
  });
}

/** What `changeUsers` would do. @throws Refusal as it does for what is unknown, or beyond the actor altogether. */
export function previewUserChanges(
  context: UserChangesContext,
  actor: Actor,
  changes: UserChanges,
): UserChangesPreview {
  return judge(context, actor, planSteps(context, actor, changes), changes.action);
}

type PlannedStep = { readonly user: UserRecord; readonly step: Step };

function planSteps(
  context: UserChangesContext,
  actor: Actor,
  { user_ids, action }: UserChanges,
): PlannedStep[] {
  const users = [...new Set(user_ids)].map((id) => findUser(context.userCache, id, "user_ids"));
  const plan = planAction(context, actor, action);
  return users.map((user) => ({ user, step: plan(user) }));
}

function planAction(
  context: UserChangesContext,
  actor: Actor,
  action: UserAction,
): (user: UserRecord) => Step {
  const { graph, users, runtime } = context;
  switch (action.type) {
    case "set_role":
      return planRoles(context, actor, null, [
        findRole(graph, toOrganizationRoleId(action.role_id), null, "action.role_id"),
      ]);
    case "set_project_role":
    case "leave_project": {
      const { project_id: projectId } = action;
      const project = context.projectCache.find(projectId);
      if (!project) throw notFound("project", projectId, "action.project_id");
      refuseArchived(project);
      refuseWithout(actor, "api.project_users.write", projectId);
      const roles =
        action.type === "leave_project"
          ? []
          : [findRole(graph, toProjectRoleId(action.role_id), projectId, "action.role_id")];
      return planRoles(context, actor, projectId, roles);
    }
    case "join_group":
    case "leave_group":
      return planMembership(context, actor, action.group_id, action.type === "join_group");
    case "remove":
      return ({ id }) => ({
        isChanged: true,
        refuse: () => refuseLackedRolePermissions(actor, graph.listUserRoles(id)),
        apply: (records) => records.removePrincipal({ kind: "user", id }),
        write: (transaction) => users.remove(transaction, id, runtime.clock.nowMs()),
      });
  }
}

/** Replaces the roles that a member holds directly in a project or the organization. What stays keeps its time. */
function planRoles(
  { graph, roles, runtime }: UserChangesContext,
  actor: Actor,
  projectId: string | null,
  wanted: readonly Role[],
): (user: UserRecord) => Step {
  const createdAtMs = runtime.clock.nowMs();
  return ({ id }) => {
    const principal = { kind: "user" as const, id };
    const held = graph.directRoles(principal, projectId);
    const assignments: RoleAssignment[] = wanted.map(
      (role) =>
        held.find((one) => one.role.id === role.id)?.assignment ?? {
          principal,
          roleId: role.id,
          projectId,
          createdAtMs,
        },
    );
    const granted = wanted.filter((role) => !held.some((one) => one.role.id === role.id));
    const revoked = held
      .map(({ role }) => role)
      .filter((role) => !wanted.some(({ id: kept }) => kept === role.id));
    return {
      isChanged: granted.length + revoked.length > 0,
      refuse() {
        for (const role of [...granted, ...revoked])
          refuseLackedPermission(actor, role.permissions, projectId);
      },
      apply: (records) => records.replaceAssignments(principal, projectId, assignments),
      write: (transaction) => roles.replaceAssignments(transaction, principal, projectId, assignments),
    };
  };
}

function planMembership(
  { graph, groups, groupCache, runtime }: UserChangesContext,
  actor: Actor,
  groupId: string,
  joins: boolean,
): (user: UserRecord) => Step {
  refuseKeptByDirectory(findGroup(groupCache, groupId));
  refuseWithout(actor, "api.groups.write", null);
  return ({ id }) => ({
    isChanged: graph.listGroups(id).includes(groupId) !== joins,
    refuse: () => refuseLackedRolePermissions(actor, graph.directRoles({ id: groupId })),
    apply: (records) => (joins ? records.addToGroup(groupId, id) : records.removeFromGroup(groupId, id)),
    write: (transaction) =>
      joins
        ? groups.addUser(transaction, groupId, id, runtime.clock.nowMs())
        : groups.removeUser(transaction, groupId, id),
  });
}

/** @throws Refusal 403 unless the actor has what doing it to one member needs. */
function refuseWithout({ permissionsIn }: Actor, permission: Permission, projectId: string | null): void {
  if (!permissionsIn(projectId).has(permission)) throw missingPermission(permission);
}

/** What all steps together do. Whether an owner is left is judged by all of them, not one by one. */
function judge(
  { graph }: UserChangesContext,
  actor: Actor,
  steps: readonly PlannedStep[],
  action: UserAction,
): UserChangesPreview {
  const changed = steps.filter(({ step }) => step.isChanged);
  const applyAll = (records: AccessRecords) => {
    for (const { step } of changed) step.apply(records);
  };
  const graphAfter = graph.after(applyAll);
  const place = "project_id" in action ? action.project_id : undefined;
  return {
    members: steps.map(({ user, step }) => {
      const before = listPermissions(graph, user.id, place);
      const after = listPermissions(graphAfter, user.id, place);
      return {
        user,
        isChanged: step.isChanged,
        gains: [...after].filter((permission) => !before.has(permission)),
        loses: [...before].filter((permission) => !after.has(permission)),
      };
    }),
    graphAfter,
    refusal: findRefusal(changed, () => refuseLostOwnership(graph, actor, applyAll)),
  };
}

function findRefusal(steps: readonly PlannedStep[], refuseAll: () => void): UserChangesPreview["refusal"] {
  for (const { user, step } of steps) {
    const error = catchRefusal(() => step.refuse());
    if (error) return { error, userId: user.id };
  }
  const error = catchRefusal(refuseAll);
  return error && { error, userId: null };
}

/** A member's permissions in a project or, without one, anywhere. */
function listPermissions(graph: AccessGraph, id: string, projectId: string | undefined): Set<Permission> {
  const holder = { kind: "user" as const, id };
  if (projectId !== undefined) return new Set(graph.findPermissions(holder, projectId));
  const inProjects = graph.listProjectPermissions(holder).flatMap(([, permissions]) => [...permissions]);
  return new Set([...graph.findPermissions(holder, null), ...inProjects]);
}
