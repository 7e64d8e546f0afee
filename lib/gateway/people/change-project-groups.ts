import { toProjectRoleId } from "@/lib/contract/access/role-words";
import type { ProjectGroupDraft } from "@/lib/contract/operations/projects/project-groups";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, notFound } from "../refusal";
import type { Actor } from "../roles/actor";
import { replaceRoles } from "../roles/role-assignments";
import { findRole, type RoleContext } from "../roles/roles";
import { findGroup } from "./find-group";
import type { GroupMirror } from "./group-mirror";
import type { GroupRecord } from "./group-store";

export interface ProjectGroupContext extends RoleContext {
  readonly groupMirror: GroupMirror;
}

/** Gives a group a role in a project. @throws Refusal 404; 409 if it already has one; and as `replaceRoles`. */
export function addProjectGroup(
  context: ProjectGroupContext,
  request: ChangeRequest,
  actor: Actor,
  projectId: string,
  draft: ProjectGroupDraft,
): Promise<void> {
  const { graph, groupMirror } = context;
  return change(context, request, async (transaction) => {
    const { id, name } = findGroup(groupMirror, draft.group_id);
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
  { groupMirror, graph }: Pick<ProjectGroupContext, "groupMirror" | "graph">,
  projectId: string,
  groupId: string,
): GroupRecord {
  if (graph.directRoles({ id: groupId }, projectId).length > 0) return findGroup(groupMirror, groupId);
  throw notFound("group in this project", groupId, "group_id");
}

function toRoleTarget(id: string, projectId: string) {
  return { principal: { kind: "group" as const, id }, projectId };
}
