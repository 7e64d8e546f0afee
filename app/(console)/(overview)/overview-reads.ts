import { inShort } from "@/components/audit-log/audit-log-filter";
import type { ReadParameters } from "@/lib/console/reads/reads";

/** The latest ledger entries. */
export const latestEntries = ["listLedger", { limit: "5" }] as const;

/** The latest refused calls and the latest changes, without sign-ins and sign-outs. */
export const latestRefusals = ["listRequests", { outcome: "refused", limit: "5" }] as const;
export const latestChanges = ["listAuditLogs", inShort({ sign_ins: "false", limit: "5" })] as const;

/** The payments and corrections since a time in Unix seconds: with the spend, all that changes the balance. */
export function movementReads(since: string) {
  const lately = { start_time: since, limit: "1000" };
  return {
    payments: ["listLedger", { kind: "payment", ...lately }],
    corrections: ["listLedger", { kind: "correction", ...lately }],
  } as const;
}

/** The number of concerns that are shown at first. */
export const SHOWN_CONCERNS = 4;

/**
 * The limits that refused calls or nearly did in the last day: the most severe ones, and as many as a person would look
 * at.
 */
export const nearLimits = {
  first: ["listNearLimits", { limit: String(SHOWN_CONCERNS) }],
  all: ["listNearLimits", { limit: "200" }],
} as const;

/** The keys that work although their makers have left: as many as a sentence counts. */
export const orphanedKeys = ["listOrphanedApiKeys", { limit: "100" }] as const;

/** The models that fail, and the open circuits. */
export const failingHealth = ["retrieveHealth", { failing: "true" }] as const;

const first = { family: "chat", priced: "true", limit: "1" };

/** The first models that answer prompts, of which an example names one: outside of the sandbox, and of all. */
export const exampleModels = {
  real: ["listOrganizationModels", { ...first, sandbox: "false" }],
  any: ["listOrganizationModels", first],
} as const;

/** The cookie by which somebody is no longer shown the first steps. */
export const STEPS_COOKIE = "gatehouse_first_steps";

/** Returns the reads that show which first steps are done: the call in any project. One row of each suffices. */
export function stepReads(projectId: string) {
  return {
    keys: ["listProjectApiKeys", { project_id: projectId, limit: "1" }],
    limits: ["listRateLimits", { project_id: projectId, changed: "true", limit: "1" }],
    charges: ["listLedger", { kind: "charge", limit: "1" }],
  } as const;
}

export type FiringsRead = readonly ["listSpendAlertFirings" | "listProjectSpendAlertFirings", ReadParameters];

/** Returns the read of a month's ("2027-01") alerts, latest first: of the organization, or of one project. */
export function firingsRead(month: string, projectId: string | null): FiringsRead {
  const latest = { month, order: "desc", limit: "5" };
  return projectId === null
    ? ["listSpendAlertFirings", latest]
    : ["listProjectSpendAlertFirings", { project_id: projectId, ...latest }];
}
