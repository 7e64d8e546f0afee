import type { ReadParameters } from "@/lib/console/reads";

/** The latest rows of the ledger. */
export const latestEntries = ["listLedger", { limit: "5" }] as const;

/** The calls that were refused last, and what was changed last: people sign in and out in between. */
export const latestRefusals = ["listRequests", { outcome: "refused", limit: "5" }] as const;
export const latestChanges = ["listAuditLogs", { limit: "50" }] as const;

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
