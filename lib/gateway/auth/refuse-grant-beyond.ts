import type { Permission } from "@/lib/contract/permissions";
import { Refusal } from "../ports/refusal";
import type { Caller } from "./caller";

/**
 * Nobody gives, or takes from others, more than they hold themselves.
 * @throws Refusal 403 that names the first permission the caller lacks.
 */
export function refuseGrantBeyond(
  caller: Caller,
  role: { readonly name: string; readonly permissions: readonly Permission[] },
): void {
  const permission = role.permissions.find((needed) => !caller.permissions.has(needed));
  if (permission === undefined) return;
  const message = `"${role.name}" holds ${permission}, which you do not: nobody can give or take more than they hold.`;
  throw new Refusal(403, "permission_error", "missing_permission", message, { permission });
}
