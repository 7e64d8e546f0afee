import type { RoleChange } from "@/lib/contract/operations/roles";
import { inCatalogueOrder } from "./in-catalogue-order";
import { findChangeableRole, refuseTakenName } from "./organization-roles";
import type { RoleRecord, RoleStore } from "./role-store";

/**
 * Changes a role. Absent fields stay, and so do a name and permissions sent as null; a null description is removed.
 * @throws Refusal 404, 403 for a predefined role, 409 when the new name is taken.
 */
export async function changeRole(roles: RoleStore, id: string, change: RoleChange): Promise<RoleRecord> {
  return roles.atomically(async (inside) => {
    const role = await findChangeableRole(inside, id);
    const changed = {
      ...role,
      name: change.role_name ?? role.name,
      description: change.description === undefined ? role.description : change.description || null,
      permissions: change.permissions ? inCatalogueOrder(change.permissions) : role.permissions,
    };
    await refuseTakenName(inside, changed.name, id);
    await inside.update(changed);
    return changed;
  });
}
