import type { LucideIcon } from "lucide-react";
import type { Permission } from "@/lib/contract/access/permissions";
import type { ShellPermissions } from "../shell-data";

export type Screen = {
  /** Its address; that in a project, or in all of them, if it shows those. */
  address: (project: string) => string;
  /** Its tab. */
  label: string;
  /** Further addresses of it that aren't below its own, such as a page that had an entry of its own. */
  alsoAt?: readonly string[];
  /** What people may call it besides: the search finds it by these words. */
  keywords?: string;
  /** The screen needs one of these permissions. The most common one comes first. */
  permissions?: readonly Permission[];
  /** Completes "You don't have permission to …". */
  purpose?: string;
  /** Where the permission is needed. Organization permissions apply to every project too. */
  scope?: keyof ShellPermissions;
  /** Offered only with one of these, although others may open it too: it would tell them little. */
  offeredFor?: readonly Permission[];
  /** Shows one project, or those of every project as well. Absent where it belongs to the organization. */
  shows?: "one project" | "any projects";
  /** True if what is below it is in every project, such as a model with its limits. */
  sameBelow?: true;
  /**
   * True if only the screen itself is locked. The gateway decides about its subpages, which may show the person's own
   * objects or another project.
   */
  decidesBelow?: true;
};

/** An entry of the sidebar. Its screens are tabs. */
export type Entry = {
  label: string;
  icon: LucideIcon;
  /** G and then this letter opens it. */
  letter: string;
  screens: readonly Screen[];
};

function holdsOne(
  permissions: readonly Permission[] | undefined,
  scope: keyof ShellPermissions,
  held: ShellPermissions,
): boolean {
  return permissions === undefined || permissions.some((permission) => held[scope].includes(permission));
}

/** Returns true if the person lacks the permissions of the screen. */
export function isLocked({ permissions, scope = "organization" }: Screen, held: ShellPermissions): boolean {
  return !holdsOne(permissions, scope, held);
}

/** Returns true if the screen has a place in the person's navigation. */
export function isOffered(screen: Screen, held: ShellPermissions): boolean {
  const { offeredFor, scope = "organization" } = screen;
  return !isLocked(screen, held) && holdsOne(offeredFor, scope, held);
}
