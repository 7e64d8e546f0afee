import { conflict } from "../ports/refusal";
import { findChangeableRole } from "./organization-roles";
import type { RoleStore } from "./role-store";

/** Deletes a role. @throws Refusal 404, 403 for a predefined role, 409 while a key holds it. */
export async function deleteRole(roles: RoleStore, id: string): Promise<void> {
  await roles.atomically(async (inside) => {
    const { name } = await findChangeableRole(inside, id);
    if (await inside.isHeld(id)) {
      throw conflict("role_id", `A key holds the role "${name}"; delete that key first.`, "in_use");
    }
    await inside.delete(id);
  });
}
