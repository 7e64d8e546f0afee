import { newId } from "@/lib/contract/ids";
import type { RoleDraft } from "@/lib/contract/operations/roles";
import type { Effects } from "../ports/effects";
import type { AccessGraph } from "./access-graph";
import { type Actor, refuseExcess } from "./change-access";
import { type RolePlace, refuseTakenName } from "./find-role";
import { inCatalogueOrder } from "./in-catalogue-order";
import type { RoleRecord, RoleStore } from "./role-store";

/** Creates a role. @throws Refusal 409 when its name is taken, 403 when it holds more than its maker. */
export async function createRole(
  { roles, graph, effects }: { roles: RoleStore; graph: AccessGraph; effects: Effects },
  actor: Actor,
  place: RolePlace,
  draft: RoleDraft,
): Promise<RoleRecord> {
  const createdAtMs = effects.clock.nowMs();
  const role: RoleRecord = {
    id: newId("role", createdAtMs, effects.random),
    name: draft.role_name,
    description: draft.description || null,
    permissions: inCatalogueOrder(draft.permissions),
    resourceType: place === null ? "api.organization" : "api.project",
    projectId: place,
    createdAtMs,
  };
  refuseTakenName(graph, role.name, place, null);
  refuseExcess(actor, role.permissions, place);
  await roles.insert(role);
  graph.putRole(role);
  return role;
}
