import type { AssignedRole } from "@/lib/contract/operations/role-assignments";
import { findUser } from "../members/find-user";
import type { UserBook } from "../members/user-book";
import { groupBy } from "../ports/group-by";
import type { OneAtATime } from "../ports/one-at-a-time";
import { notFound } from "../ports/refusal";
import type { HeldRole } from "../roles/access-graph";
import { type AssignmentContext, assignRole, unassignRole } from "../roles/assign-roles";
import { isPredefined } from "../roles/find-role";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";
import { toRole } from "./roles";
import { toUnixSeconds } from "./unix-seconds";
import { toUser } from "./users";

export interface RoleAssignmentContext extends AssignmentContext {
  readonly userBook: UserBook;
  readonly inTurn: OneAtATime;
}

type Ids = "listUserRoles" | "assignUserRole" | "retrieveUserRole" | "unassignUserRole";

export function roleAssignmentRoutes(context: RoleAssignmentContext): Handlers<Ids> {
  const { graph, userBook, inTurn } = context;
  const seatOf = (userId: string, projectId: string | null) => {
    const principal = { kind: "user" as const, id: findUser(userBook, userId).id };
    return { principal, projectId };
  };
  const rolesOf = (userId: string) => toAssignedRoles(graph.rolesOfUser(findUser(userBook, userId).id, null));
  return {
    listUserRoles: async ({ params, query }) => paginateByNext(rolesOf(params.user_id), query),
    retrieveUserRole: async ({ params }) => findAssigned(rolesOf(params.user_id), params.role_id),
    assignUserRole: ({ params, body, caller }) =>
      inTurn(async () => {
        const seat = seatOf(params.user_id, null);
        const role = await assignRole(context, caller, seat, body.role_id);
        const user = toUser(graph, findUser(userBook, params.user_id));
        return { object: "user.role", user, role: toRole(role) };
      }),
    unassignUserRole: ({ params, caller }) =>
      inTurn(async () => {
        await unassignRole(context, caller, seatOf(params.user_id, null), params.role_id);
        return { object: "user.role.deleted", deleted: true };
      }),
  };
}

/** One entry a role, with everyone it comes from. */
function toAssignedRoles(held: readonly HeldRole[]): AssignedRole[] {
  return [...groupBy(held, ({ role }) => role).entries()].map(([role, sources]) => ({
    id: role.id,
    name: role.name,
    description: role.description,
    permissions: [...role.permissions],
    predefined_role: isPredefined(role.id),
    resource_type: role.resourceType,
    assignment_sources: sources.map(({ assignment: { principal } }) => ({
      principal_type: principal.kind,
      principal_id: principal.id,
    })),
    created_at: role.createdAtMs === null ? null : toUnixSeconds(role.createdAtMs),
    updated_at: null,
    created_by: null,
    created_by_user_obj: null,
    metadata: null,
  }));
}

function findAssigned(held: readonly AssignedRole[], roleId: string): AssignedRole {
  const found = held.find(({ id }) => id === roleId);
  if (!found) throw notFound("role held here", roleId, "role_id");
  return found;
}
