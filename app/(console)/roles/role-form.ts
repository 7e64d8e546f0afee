import * as z from "zod/mini";
import type { Role } from "@/lib/contract/operations/people/roles";
import { description, displayName } from "@/lib/contract/schema";

/**
 * The form's values, by the API's names: checked permissions, and typed ones if there is a field for them. The schema
 * is in another file, which is loaded after the form.
 */
export interface RoleForm {
  role_name: string;
  description: string;
  permissions: string[];
  other_permissions: string;
}

/** Returns a role's initial form values. */
export function toRoleForm(role: Role): RoleForm {
  return {
    role_name: role.name,
    description: role.description ?? "",
    permissions: role.permissions,
    other_permissions: "",
  };
}

/** Returns checked and typed permissions together. Typed ones are separated by lines, commas or spaces. */
export function collectPermissions(form: Pick<RoleForm, "permissions" | "other_permissions">): string[] {
  const typed = form.other_permissions.split(/[\s,;]+/).filter(Boolean);
  return [...new Set([...form.permissions, ...typed])];
}

const permission = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/**
 * The role sent to the gateway. Permissions aren't validated here, since a gateway with only the specification's
 * operations may have others than this console knows.
 */
export const sentRole = z.strictObject({
  role_name: displayName,
  description,
  permissions: z.array(permission).check(z.minLength(1), z.maxLength(100)),
});

/** The schema of a `RoleForm`. */
export const roleForm = z
  .strictObject({
    role_name: displayName,
    description,
    permissions: z.array(permission),
    other_permissions: z.string(),
  })
  .check(
    z.refine((form) => collectPermissions(form).length > 0, {
      message: "Select at least one permission.",
      path: ["permissions"],
    }),
    z.refine((form) => collectPermissions(form).length <= 100, {
      message: "A role holds at most 100 permissions.",
      path: ["other_permissions"],
    }),
  ) satisfies z.ZodMiniType<RoleForm>;
