import type { Role } from "@/lib/contract/operations/roles";
import type { Effects } from "../ports/effects";
import { changeRole } from "../roles/change-role";
import { createRole } from "../roles/create-role";
import { deleteRole } from "../roles/delete-role";
import { findRole, isPredefined, listRoles, type OrganizationRole } from "../roles/organization-roles";
import type { RoleStore } from "../roles/role-store";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";

type Ids = "listRoles" | "createRole" | "retrieveRole" | "changeRole" | "deleteRole";

export function roleRoutes(context: { roles: RoleStore; effects: Effects }): Handlers<Ids> {
  const { roles } = context;
  return {
    listRoles: async ({ query }) => paginateByNext((await listRoles(roles)).map(toRole), query),
    createRole: async ({ body }) => toRole(await createRole(context, body)),
    retrieveRole: async ({ params }) => toRole(await findRole(roles, params.role_id)),
    changeRole: async ({ params, body }) => toRole(await changeRole(roles, params.role_id, body)),
    deleteRole: async ({ params }) => {
      await deleteRole(roles, params.role_id);
      return { object: "role.deleted", id: params.role_id, deleted: true };
    },
  };
}

function toRole({ id, name, description, permissions, resourceType }: OrganizationRole): Role {
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
