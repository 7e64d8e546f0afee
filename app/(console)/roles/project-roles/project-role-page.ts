import type { Permission } from "@/lib/contract/access/permissions";

/** The project whose roles are shown. */
export type ProjectRolePage = {
  project: { readonly id: string; readonly name: string };
  /** Whether the person has a permission there. */
  may: (permission: Permission) => boolean;
  /** The person's permissions there; null if they aren't known. */
  held: readonly string[] | null;
};
