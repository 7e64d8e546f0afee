import * as z from "zod/mini";
import type { Role } from "@/lib/contract/operations/roles";
import { description, displayName } from "@/lib/contract/schema";

const permission = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/**
 * What the console sends of a role. Which permissions there are, the gateway decides: one that has only the
 * specification's operations may know others than this console.
 */
export const sentRole = z.strictObject({
  role_name: displayName,
  description,
  permissions: z.array(permission).check(z.minLength(1), z.maxLength(100)),
});

/** What a role's form holds, by the API's names: ticked permissions, and typed ones where there is a field for them. */
export const roleForm = z
  .strictObject({
    role_name: displayName,
    description,
    permissions: z.array(permission),
    other_permissions: z.string(),
  })
  .check(
    z.refine((form) => permissionsOf(form).length > 0, {
      message: "Tick at least one permission.",
      path: ["permissions"],
    }),
    z.refine((form) => permissionsOf(form).length <= 100, {
      message: "A role holds at most 100 permissions.",
      path: ["other_permissions"],
    }),
  );
export type RoleForm = z.output<typeof roleForm>;

/** A role as its form begins. */
export function roleFormOf(role: Role): RoleForm {
  return {
    role_name: role.name,
    description: role.description ?? "",
    permissions: role.permissions,
    other_permissions: "",
  };
}

/** Ticked and typed permissions together; typed ones by lines, commas or spaces. */
export function permissionsOf(form: Pick<RoleForm, "permissions" | "other_permissions">): string[] {
  const typed = form.other_permissions.split(/[\s,;]+/).filter(Boolean);
  return [...new Set([...form.permissions, ...typed])];
}
