import { newId } from "@/lib/contract/ids";
import type { RoleDraft } from "@/lib/contract/operations/roles";
import type { Effects } from "../ports/effects";
import { inCatalogueOrder } from "./in-catalogue-order";
import { ORGANIZATION, refuseTakenName } from "./organization-roles";
import type { RoleRecord, RoleStore } from "./role-store";

/** Creates a role of the organization. @throws Refusal 409 when its name is taken. */
export async function createRole(
  { roles, effects }: { roles: RoleStore; effects: Effects },
  draft: RoleDraft,
): Promise<RoleRecord> {
  const createdAtMs = effects.clock.nowMs();
  const role = {
    id: newId("role", createdAtMs, effects.random),
    name: draft.role_name,
    description: draft.description || null,
    permissions: inCatalogueOrder(draft.permissions),
    resourceType: ORGANIZATION,
    createdAtMs,
  };
  return roles.atomically(async (inside) => {
    await refuseTakenName(inside, role.name, null);
    await inside.insert(role);
    return role;
  });
}
