import type { SpendAlert } from "@/lib/contract/operations/spend-alerts";
import type { Permission } from "@/lib/contract/permissions";

/** What a spend limit or alert is on: one project, or the whole organization. */
export type SpendPlace = {
  project: { readonly id: string; readonly name: string } | null;
  currency: string;
  may: (permission: Permission) => boolean;
  /** When the calendar month (UTC) began, in Unix seconds. */
  monthStart: number;
};

/** An alert with the version it was read in. */
export type KnownAlert = SpendAlert & { version?: string | undefined };

/** "Support bot", or "the organization". */
export function nameOf({ project }: Pick<SpendPlace, "project">): string {
  return project?.name ?? "the organization";
}
