import type { Role as RoleReply } from "@/lib/contract/operations/roles";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import type { AccessGraph, Role } from "../roles/access-graph";
import { changeRole } from "../roles/change-role";
import { createRole } from "../roles/create-role";
import { deleteRole } from "../roles/delete-role";
import { findRole, isPredefined, listRoles } from "../roles/find-role";
import type { RoleStore } from "../roles/role-store";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";

export interface RoleRoutesContext {
  readonly roles: RoleStore;
  readonly graph: AccessGraph;
  readonly inTurn: OneAtATime;
  readonly effects: Effects;
}

type Ids = "listRoles" | "createRole" | "retrieveRole" | "changeRole" | "deleteRole";

export function roleRoutes(context: RoleRoutesContext): Handlers<Ids> {
  const { graph, inTurn } = context;
  return {
    listRoles: async ({ query }) => paginateByNext(listRoles(graph, null).map(toRole), query),
    createRole: ({ body, caller }) =>
      inTurn(async () => toRole(await createRole(context, caller, null, body))),
    retrieveRole: async ({ params }) => toRole(findRole(graph, params.role_id, null)),
    changeRole: ({ params, body, caller }) =>
      inTurn(async () => toRole(await changeRole(context, caller, null, params.role_id, body))),
    deleteRole: ({ params }) =>
      inTurn(async () => {
        await deleteRole(context, null, params.role_id);
        return { object: "role.deleted", id: params.role_id, deleted: true };
      }),
  };
}

export function toRole({ id, name, description, permissions, resourceType }: Role): RoleReply {
  return {
    object: "role",
    id,
    name,
    description,
    permissions: [...permissions],
    resource_type: resourceType,
    predefined_role: isPredefined(id),
  };
}
