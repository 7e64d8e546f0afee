import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";
import type { SpendPlace } from "./spend-place";

const WHOLE = "1000";

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
export function spentRead({ project, monthStart }: Named & Pick<SpendPlace, "monthStart">) {
  const parameters = { project_id: project?.id, start_time: String(monthStart) };
  return ["retrieveRequestHistogram", parameters] as const;
}

/** Returns the read of the spend alerts. */
export function alertRead({ project }: Named) {
  return project
    ? (["listProjectSpendAlerts", { project_id: project.id, limit: WHOLE }] as const)
    : (["listSpendAlerts", { limit: WHOLE }] as const);
}

/** Returns the read of fired alerts. The organization's list includes those of its projects. */
export function firingRead({ project }: Named) {
  return project
    ? (["listProjectSpendAlertFirings", { project_id: project.id, ...latest }] as const)
    : (["listSpendAlertFirings", latest] as const);
}

type Read = ReadId | readonly [ReadId, ReadParameters] | { pages: ReadId; parameters: ReadParameters };

/** Returns all reads of a spend screen that the person may make. */
export function spendReads(place: Named & Pick<SpendPlace, "may" | "monthStart">): Read[] {
  const [limitId, limitParameters] = limitRead(place);
  const [firingId, parameters] = firingRead(place);
  const seesLimits = place.may("api.spend_limits.read");
  const seesAlerts = place.may("api.spend_alerts.read");
  return [
    ...(seesLimits ? [limitParameters ? ([limitId, limitParameters] as const) : limitId] : []),
    ...(seesLimits && place.may("api.requests.read") ? [spentRead(place)] : []),
    ...(seesAlerts ? [alertRead(place), { pages: firingId, parameters }] : []),
  ];
}
