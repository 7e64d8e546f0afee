import type { ReadParameters } from "@/lib/console/reads";

/** The latest rows of the ledger. */
export const latestEntries = ["listLedger", { limit: "5" }] as const;

/** The calls that were refused last, and what was changed last: people sign in and out in between. */
export const latestRefusals = ["listRequests", { outcome: "refused", limit: "5" }] as const;
export const latestChanges = ["listAuditLogs", { limit: "50" }] as const;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** What was used in the last day and week, by hours, and in this month (UTC), by days and projects. `now` in Unix seconds. */
export function usageReads(now: number) {
  const hour = now - (now % HOUR);
  const { year, month } = {
    year: new Date(now * 1000).getUTCFullYear(),
    month: new Date(now * 1000).getUTCMonth(),
  };
  const ofMonth = Date.UTC(year, month) / 1000;
  const by = { hours: { bucket_width: "1h" }, days: { bucket_width: "1d", group_by: "project_id" } };
  return {
    day: ["retrieveUsageSummary", { start_time: String(hour - DAY), ...by.hours }],
    week: ["retrieveUsageSummary", { start_time: String(hour - 7 * DAY), ...by.hours }],
    month: ["retrieveUsageSummary", { start_time: String(ofMonth), ...by.days }],
  } as const;
}

export const listedModels = ["listOrganizationModels", { limit: "1000" }] as const;

/** What tells whether a project's first steps are done: one row of each is enough. */
export function stepReads(projectId: string) {
  return {
    keys: ["listProjectApiKeys", { project_id: projectId, limit: "1" }],
    limits: ["listRateLimits", { project_id: projectId, limit: "1000" }],
    charges: ["listLedger", { project_id: projectId, kind: "charge", limit: "1" }],
  } as const;
}

export type FiringsRead = readonly ["listSpendAlertFirings" | "listProjectSpendAlertFirings", ReadParameters];

/** The alerts that fired in a month such as 2027-01, the latest first: all of them, or a project's alone. */
export function firingsRead(month: string, projectId: string | null): FiringsRead {
  const latest = { month, order: "desc", limit: "5" };
  return projectId === null
    ? ["listSpendAlertFirings", latest]
    : ["listProjectSpendAlertFirings", { project_id: projectId, ...latest }];
}
