import type { Role } from "@/lib/contract/operations/roles";

/** Returns the roles whose name, description and permissions contain every word of the search. */
export function filterRoles(roles: readonly Role[], search: string): Role[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return roles.filter(({ name, description, permissions }) => {
    const text = [name, description, ...permissions].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
