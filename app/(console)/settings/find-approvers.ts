import type { Role, RoleHolder } from "@/lib/contract/operations/people/roles";

/** A member, or a group whose members can approve. */
export type Approver = RoleHolder["holder"];

/** Returns the roles that allow deciding payments, and who holds one in the organization, each once. */
export function findApprovers(
  roles: readonly Pick<Role, "id" | "name" | "permissions">[],
  holders: readonly Pick<RoleHolder, "role_id" | "holder" | "project_id">[],
) {
  const approving = roles.filter(({ permissions }) => permissions.includes("api.payments.write"));
  const ids = new Set(approving.map(({ id }) => id));
  // A key belongs to no member, and approves nothing.
  const found = holders.filter(
    ({ role_id, holder, project_id }) =>
      ids.has(role_id) && holder.type !== "admin_key" && project_id === null,
  );
  const people = [...new Map(found.map(({ holder }) => [holder.id, holder])).values()];
  return { approving, people };
}
