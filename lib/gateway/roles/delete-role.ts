import type { Effects } from "../ports/effects";
import { conflict } from "../ports/refusal";
import type { AccessGraph } from "./access-graph";
import { type Actor, refuseExcess } from "./change-access";
import { findChangeableRole, type RolePlace } from "./find-role";
import type { RoleStore } from "./role-store";

/** Deletes a role. @throws Refusal 404, 403 for a predefined role and one that carries more than the actor holds, 409 while somebody, a key or an invitation holds it. */
export async function deleteRole(
  { roles, graph, effects }: { roles: RoleStore; graph: AccessGraph; effects: Effects },
  actor: Actor,
  place: RolePlace,
  id: string,
): Promise<void> {
  const { name, permissions } = findChangeableRole(graph, id, place);
  refuseExcess(actor, permissions, place);
  if (graph.assignments().some(({ roleId }) => roleId === id)) {
    throw conflict(
      "role_id",
      `Members or groups hold the role "${name}"; take it from them first.`,
      "in_use",
    );
  }
  if (await roles.isHeldByKey(id)) {
    throw conflict("role_id", `A key holds the role "${name}"; delete that key first.`, "in_use");
  }
  if (await roles.isPromised(id, effects.clock.nowMs())) {
    throw conflict("role_id", `An invitation carries the role "${name}"; withdraw it first.`, "in_use");
  }
  await roles.delete(id);
  graph.removeRole(id);
}
