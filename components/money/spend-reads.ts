import type { Read } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import type { Permission } from "@/lib/contract/access/permissions";
import type { SpendAlert } from "@/lib/contract/operations/money/spend-alerts";

/** Newest first. */
const latest = { order: "desc", limit: "50" };

type Named = { readonly project: { readonly id: string } | null };

/** Returns the read of the spend limit. */
export function limitRead({ project }: Named) {
  return project
    ? (["retrieveProjectSpendLimit", { project_id: project.id }] as const)
    : (["retrieveSpendLimit", undefined] as const);
}

/** Returns the read of this month's spend, from its calls. */
export function spentRead({ project, monthStart }: Named & Pick<SpendScope, "monthStart">) {
  const parameters = { project_id: project?.id, start_time: String(monthStart) };
  return ["retrieveRequestHistogram", parameters] as const;
}

/** Returns the read of the spend alerts. */
export function alertRead({ project }: Named) {
  return project
    ? wholeList("listProjectSpendAlerts", { project_id: project.id })
    : wholeList("listSpendAlerts");
}

/** Returns the read of fired alerts. The organization's list includes those of its projects. */
export function firingRead({ project }: Named) {
  return project
    ? (["listProjectSpendAlertFirings", { project_id: project.id, ...latest }] as const)
    : (["listSpendAlertFirings", latest] as const);
}

/** Returns all reads of a spend screen that the person may make. */
export function spendReads(scope: Named & Pick<SpendScope, "may" | "monthStart">): Read[] {
  const [limitId, limitParameters] = limitRead(scope);
  const [firingId, parameters] = firingRead(scope);
  const seesLimits = scope.may("api.spend_limits.read");
  const seesAlerts = scope.may("api.spend_alerts.read");
  return [
    ...(seesLimits ? [limitParameters ? ([limitId, limitParameters] as const) : limitId] : []),
    ...(seesLimits && scope.may("api.requests.read") ? [spentRead(scope)] : []),
    ...(seesAlerts ? [alertRead(scope), { pages: firingId, parameters }] : []),
  ];
}

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
