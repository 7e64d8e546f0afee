import type { Mirror } from "../changes/mirror";
import type { AccessGraph } from "./access-graph";
import type { RoleStore } from "./role-store";

interface AccessStores {
  readonly roles: Pick<RoleStore, "list" | "find" | "listAssignments" | "listAssignmentsOf">;
  readonly groups: {
    listUsers(): Promise<{ groupId: string; userId: string }[]>;
    listGroupsOf(userId: string): Promise<string[]>;
  };
}

/** Lets the graph follow the stores of roles, of who holds them, and of who is in which group. */
export function followAccess(graph: AccessGraph, { roles, groups }: AccessStores): Mirror {
  return {
    load: async () =>
      graph.load({
        roles: await roles.list(),
        assignments: await roles.listAssignments(),
        groupUsers: await groups.listUsers(),
      }),
    reread: {
      roles: async ({ id }) => {
        const role = await roles.find(id);
        if (role) graph.putRole(role);
        else graph.removeRole(id);
      },
      role_assignments: async ({ subjectId }) => {
        if (subjectId !== null) graph.putHeld(subjectId, await roles.listAssignmentsOf(subjectId));
      },
      group_users: async ({ subjectId }) => {
        if (subjectId !== null) graph.putGroupsOf(subjectId, await groups.listGroupsOf(subjectId));
      },
    },
  };
}
