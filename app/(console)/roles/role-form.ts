import type { Role } from "@/lib/contract/operations/people/roles";

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
