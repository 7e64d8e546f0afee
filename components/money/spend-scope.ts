import type { Permission } from "@/lib/contract/access/permissions";
import type { SpendAlert } from "@/lib/contract/operations/money/spend-alerts";

/** The owner of a spend limit or alert: a project, or the whole organization. */
export type SpendScope = {
  project: { readonly id: string; readonly name: string } | null;
  currency: string;
  may: (permission: Permission) => boolean;
  /** The start of the calendar month (UTC) in Unix seconds. */
  monthStart: number;
};

/** An alert with the version that was read. */
export type KnownAlert = SpendAlert & { version?: string | undefined };

/** Returns "Support bot" or "the organization". */
export function nameSpendScope({ project }: Pick<SpendScope, "project">): string {
  return project?.name ?? "the organization";
}
