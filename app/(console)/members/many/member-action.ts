import type { UserAction } from "@/lib/contract/operations/people/users";

export type ActionType = UserAction["type"];

/** What is chosen in the dialog; "" for nothing yet. */
export interface Choice {
  readonly type: ActionType;
  readonly roleId: string;
  readonly projectId: string;
  readonly groupId: string;
}

/** The change that a choice makes; null while something is missing. */
export function toAction({ type, roleId, projectId, groupId }: Choice): UserAction | null {
  switch (type) {
    case "set_role":
      return roleId === "" ? null : { type, role_id: roleId };
    case "set_project_role":
      return roleId === "" || projectId === "" ? null : { type, project_id: projectId, role_id: roleId };
    case "leave_project":
      return projectId === "" ? null : { type, project_id: projectId };
    case "join_group":
    case "leave_group":
      return groupId === "" ? null : { type, group_id: groupId };
    case "remove":
      return { type };
  }
}

/** Each action's name, and its meaning for the members. */
export const actionWords: Readonly<Record<ActionType, { label: string; description: string }>> = {
  set_role: {
    label: "Change role",
    description: "Replaces every role that they hold in the organization directly.",
  },
  set_project_role: {
    label: "Assign project role",
    description: "Replaces every role that they hold in the project directly.",
  },
  leave_project: {
    label: "Remove from project",
    description: "Roles that they hold through a group or in the organization stay.",
  },
  join_group: { label: "Add to a group", description: "They hold the group’s roles while they are in it." },
  leave_group: { label: "Remove from group", description: "What they hold through it ends at once." },
  remove: {
    label: "Remove",
    description:
      "They are signed out everywhere and can’t sign in any more; their roles and groups end. Keys stay, and so does their usage in the ledger. To return, they need a new invitation.",
  },
};
