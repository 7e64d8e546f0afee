import { toProjectRoleId } from "@/lib/contract/access/role-words";
import type { ProjectUserDraft } from "@/lib/contract/operations/projects/project-users";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, notFound } from "../refusal";
import type { Actor } from "../roles/actor";
import { replaceRoles } from "../roles/role-assignments";
import { findRole } from "../roles/roles";
import type { UserContext } from "./change-user";
import { findUser } from "./find-user";
import type { UserMirror } from "./user-mirror";
import type { UserRecord } from "./user-store";

/** Gives a member a role in a project. @throws Refusal 404; 409 if they already have one; and as `replaceRoles`. */
export function addProjectUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  projectId: string,
  draft: ProjectUserDraft,
): Promise<UserRecord> {
  const { graph, userMirror } = context;
  return change(context, request, async (transaction) => {
    const user = findNamed(userMirror, draft);
    if (graph.directRoles(user, projectId).length > 0) {
      throw conflict(draft.email ? "email" : "user_id", `${user.email} is in this project already.`);
    }
    const role = findRole(graph, toProjectRoleId(draft.role), projectId, "role");
    await replaceRoles(context, transaction, actor, toRoleTarget(user.id, projectId), [role]);
    return user;
  });
}

/** Replaces all roles that a member holds in a project by one. @throws Refusal 404, and as `replaceRoles`. */
export function changeProjectUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, userId }: { projectId: string; userId: string },
  roleWord: string | null | undefined,
): Promise<void> {
  const { graph } = context;
  return change(context, request, async (transaction) => {
    findProjectUser(context, projectId, userId);
    if (!roleWord) return;
    const role = findRole(graph, toProjectRoleId(roleWord), projectId, "role");
    await replaceRoles(context, transaction, actor, toRoleTarget(userId, projectId), [role]);
  });
}

/** Removes all roles that a member holds directly in a project. @throws Refusal 404, and as `replaceRoles`. */
export function removeProjectUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  return change(context, request, async (transaction) => {
    findProjectUser(context, projectId, userId);
    await replaceRoles(context, transaction, actor, toRoleTarget(userId, projectId), []);
  });
}

/** @throws Refusal 404 if the member holds no role in the project directly. */
export function findProjectUser(
  { userMirror, graph }: Pick<UserContext, "userMirror" | "graph">,
  projectId: string,
  userId: string,
): UserRecord {
  const user = userMirror.find(userId);
  if (user && graph.directRoles(user, projectId).length > 0) return user;
  throw notFound("user in this project", userId, "user_id");
}

function toRoleTarget(id: string, projectId: string) {
  return { principal: { kind: "user" as const, id }, projectId };
}

function findNamed(userMirror: UserMirror, { user_id: id, email }: ProjectUserDraft): UserRecord {
  if (id) return findUser(userMirror, id);
  const user = userMirror.findByEmail(email ?? "");
  if (!user) throw notFound("member with the address", email ?? "", "email");
  return user;
}
