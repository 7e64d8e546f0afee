import type { AssignedRole } from "@/lib/contract/operations/people/role-assignments";
import type { OrderedPageQuery } from "@/lib/contract/schema";
import type { Caller } from "../../access/caller";
import type { ChangeRequest } from "../../changes/change";
import { toUnixSeconds } from "../../clock";
import { groupBy } from "../../lists/group-by";
import { listInMemory } from "../../lists/paged-list";
import { findGroup, type GroupCache } from "../../people/groups";
import { findUser, type UserCache } from "../../people/members";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { HeldRole } from "../../roles/access-graph";
import { assignRole, type RoleTarget, unassignRole } from "../../roles/role-assignments";
import { isPredefined, type RoleContext } from "../../roles/roles";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";
import { toGroupReference } from "./groups";
import { toRole } from "./roles";
import { toUser } from "./users";

interface RoleAssignmentContext extends RoleContext {
  readonly projects: ProjectStore;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
}

type RoleScope = "" | "Project";
type Kind = "User" | "Group";
type Ids = `list${RoleScope}${Kind}Roles` | `${"assign" | "retrieve" | "unassign"}${RoleScope}${Kind}Role`;

export function roleAssignmentRoutes(context: RoleAssignmentContext): Handlers<Ids> {
  const users = userRoles(context);
  const groups = groupRoles(context);
  return {
    listUserRoles: users.list,
    assignUserRole: users.assign,
    retrieveUserRole: users.retrieve,
    unassignUserRole: users.unassign,
    listProjectUserRoles: users.list,
    assignProjectUserRole: users.assign,
    retrieveProjectUserRole: users.retrieve,
    unassignProjectUserRole: users.unassign,
    listGroupRoles: groups.list,
    assignGroupRole: groups.assign,
    retrieveGroupRole: groups.retrieve,
    unassignGroupRole: groups.unassign,
    listProjectGroupRoles: groups.list,
    assignProjectGroupRole: groups.assign,
    retrieveProjectGroupRole: groups.retrieve,
    unassignProjectGroupRole: groups.unassign,
  };
}

/** The parameters of a path that names a role target. */
interface TargetParams {
  readonly user_id?: string;
  readonly group_id?: string;
  readonly project_id?: string;
}

interface ListInput {
  readonly params: TargetParams;
  readonly query: OrderedPageQuery;
}
interface RetrieveInput {
  readonly params: TargetParams & { readonly role_id: string };
}
interface AssignInput {
  readonly params: TargetParams;
  readonly body: { readonly role_id: string };
  readonly caller: Caller;
  readonly request: ChangeRequest;
}
type UnassignInput = RetrieveInput & Pick<AssignInput, "caller" | "request">;

function userRoles(context: RoleAssignmentContext) {
  const { graph, userCache } = context;
  const find = ({ user_id = "" }: TargetParams) => findUser(userCache, user_id);
  const operations = roleOperations(context, {
    findPrincipal: (params) => ({ kind: "user", id: find(params).id }),
    heldIn: ({ principal, projectId }) => graph.listUserRoles(principal.id, projectId),
  });
  return {
    ...operations,
    assign: async (input: AssignInput) => {
      const role = await operations.assign(input);
      return { object: "user.role" as const, user: toUser(graph, find(input.params)), role };
    },
    unassign: async (input: UnassignInput) => {
      await operations.unassign(input);
      return { object: "user.role.deleted" as const, deleted: true as const };
    },
  };
}

function groupRoles(context: RoleAssignmentContext) {
  const { graph, groupCache } = context;
  const find = ({ group_id = "" }: TargetParams) => findGroup(groupCache, group_id);
  const operations = roleOperations(context, {
    findPrincipal: (params) => ({ kind: "group", id: find(params).id }),
    heldIn: ({ principal, projectId }) => graph.directRoles(principal, projectId),
  });
  return {
    ...operations,
    assign: async (input: AssignInput) => {
      const role = await operations.assign(input);
      return { object: "group.role" as const, group: toGroupReference(find(input.params)), role };
    },
    unassign: async (input: UnassignInput) => {
      await operations.unassign(input);
      return { object: "group.role.deleted" as const, deleted: true as const };
    },
  };
}

/** The four operations on the roles of one kind of holder, for the organization and for projects. */
function roleOperations(
  context: RoleAssignmentContext,
  {
    findPrincipal,
    heldIn,
  }: {
    findPrincipal: (params: TargetParams) => RoleTarget["principal"];
    heldIn: (target: RoleTarget) => HeldRole[];
  },
) {
  const toRoleTarget = (params: TargetParams): RoleTarget => ({
    principal: findPrincipal(params),
    projectId: params.project_id ?? null,
  });
  const findRoles = async (params: TargetParams) => {
    if (params.project_id !== undefined) await findProject(context.projects, params.project_id);
    return toAssignedRoles(heldIn(toRoleTarget(params)));
  };
  return {
    list: async ({ params, query }: ListInput) =>
      paginateByNext(listInMemory(await findRoles(params)), query, (role) => role),
    retrieve: async ({ params }: RetrieveInput) => {
      const role = (await findRoles(params)).find(({ id }) => id === params.role_id);
      if (!role) throw notFound("role held here", params.role_id, "role_id");
      return role;
    },
    assign: async ({ params, body, caller, request }: AssignInput) =>
      toRole(await assignRole(context, request, caller, () => toRoleTarget(params), body.role_id)),
    unassign: ({ params, caller, request }: UnassignInput) =>
      unassignRole(context, request, caller, () => toRoleTarget(params), params.role_id),
  };
}

/** One entry per role, with all of its sources. */
function toAssignedRoles(heldRoles: readonly HeldRole[]): AssignedRole[] {
  return [...groupBy(heldRoles, ({ role }) => role).entries()].map(([role, sources]) => ({
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
