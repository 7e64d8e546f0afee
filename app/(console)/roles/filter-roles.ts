import { containsWords } from "@/components/ui/search/match-words";
import type { Role } from "@/lib/contract/operations/people/roles";

/** Returns the roles whose name, description and permissions contain every word of the search. */
export function filterRoles(roles: readonly Role[], search: string): Role[] {
  return roles.filter(({ name, description, permissions }) =>
    containsWords([name, description, ...permissions].join(" "), search),
  );
}
