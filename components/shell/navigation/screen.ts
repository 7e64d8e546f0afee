import type { LucideIcon } from "lucide-react";
import type { Permission } from "@/lib/contract/access/permissions";
import type { ShellPermissions } from "../shell-data";

export type Screen = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The screen needs one of these permissions. The most common one comes first. */
  permissions?: readonly Permission[];
  /** Completes "You don't have permission to …". */
  purpose?: string;
  /** Where the permission is needed. Organization permissions apply to every project too. */
  scope?: keyof ShellPermissions;
  /**
   * True if only the screen itself is locked. The gateway decides about its subpages, which may show the person's own
   * objects or another project.
   */
  decidesBelow?: true;
};

/** Returns true if the person lacks the permissions of the screen. */
export function isLocked(
  { permissions, scope = "organization" }: Screen,
  heldPermissions: ShellPermissions,
): boolean {
  return (
    permissions !== undefined &&
    !permissions.some((permission) => heldPermissions[scope].includes(permission))
  );
}
