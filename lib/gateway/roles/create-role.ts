import { newId } from "@/lib/contract/ids";
import type { RoleDraft } from "@/lib/contract/operations/people/roles";
import { type ChangeRequest, change } from "../changes/change";
import type { Scope } from "../scope";
import type { Actor } from "./actor";
import { refuseTakenName } from "./find-role";
import { inCatalogueOrder } from "./in-catalogue-order";
import { refuseLackedPermission } from "./refuse-access-change";
import type { RoleContext } from "./role-context";
import type { RoleRecord } from "./role-store";

/** Creates a role. @throws Refusal 409 if its name is taken; 403 if it has more permissions than the actor. */
export function createRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  scope: Scope,
  draft: RoleDraft,
): Promise<RoleRecord> {
  const { roles, graph, effects } = context;
  return change(context, request, async (transaction) => {
    const createdAtMs = effects.clock.nowMs();
    const role: RoleRecord = {
      id: newId("role", createdAtMs, effects.random),
      name: draft.role_name,
      description: draft.description || null,
      permissions: inCatalogueOrder(draft.permissions),
      resourceType: scope === null ? "api.organization" : "api.project",
      projectId: scope,
      createdAtMs,
    };
    refuseTakenName(graph, role.name, scope, null);
    refuseLackedPermission(actor, role.permissions, scope);
    await roles.insert(transaction, role);
    return role;
  });
}
