import { toOrganizationRoleId } from "@/lib/contract/access/role-words";
import type { UserChange } from "@/lib/contract/operations/people/users";
import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import { replaceRoles } from "../roles/role-assignments";
import { findRole, type RoleContext } from "../roles/roles";
import { findUser } from "./find-user";
import type { UserMirror } from "./user-mirror";
import type { UserRecord, UserStore } from "./user-store";

export interface UserContext extends RoleContext {
  readonly users: UserStore;
  readonly userMirror: UserMirror;
}

/**
 * Changes a member's role in the organization, and their profile fields.
 * @throws Refusal 404; 403 and 409 as `replaceRoles` does.
 */
export function changeUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
  draft: UserChange,
): Promise<UserRecord> {
  const { graph, users, userMirror } = context;
  return change(context, request, async (transaction) => {
    const user = findUser(userMirror, id);
    const [param, roleName] = draft.role_id
      ? (["role_id", draft.role_id] as const)
      : (["role", draft.role] as const);
    if (roleName) {
      const role = findRole(graph, toOrganizationRoleId(roleName), null, param);
      await replaceRoles(context, transaction, actor, { principal: { kind: "user", id }, projectId: null }, [
        role,
      ]);
    }
    if (draft.developer_persona === undefined && draft.technical_level === undefined) return user;
    const changedUser = {
      ...user,
      developerPersona: describeNoteChange(user.developerPersona, draft.developer_persona),
      technicalLevel: describeNoteChange(user.technicalLevel, draft.technical_level),
    };
    await users.update(transaction, changedUser);
    return changedUser;
  });
}

function describeNoteChange(before: string | null, after: string | null | undefined): string | null {
  return after === undefined ? before : after || null;
}
