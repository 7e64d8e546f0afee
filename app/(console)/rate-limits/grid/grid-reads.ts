import { wholeList } from "@/components/queries/reads/whole-list";
import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";

/** As many rows as the tallest window shows. The others are read after the first paint. */
const FIRST_ROWS = "100";

/** What a change of limits, plans or defaults makes outdated. */
export const limitReads: readonly ReadId[] = [
  "listOrganizationRateLimits",
  "listRateLimitChanges",
  "listRateLimitDefaults",
  "listRateLimitPlans",
  "listOrganizationModels",
  "listRateLimits",
  "retrieveRateLimit",
];

/** The drafts that wait for a second person. */
export const waitingDrafts = [
  "listRateLimitDrafts",
  { status: "pending", limit: "100" },
] as const satisfies readonly [ReadId, ReadParameters];

/** What a decision about a draft or bound makes outdated. */
export const approvalReads: readonly ReadId[] = [
  "listRateLimitDrafts",
  "retrieveRateLimitDraft",
  "retrieveRateLimitApproval",
];

export const defaultsRead = wholeList("listRateLimitDefaults");

/** The reads that the grid of a project begins with, or that of every project. */
export function gridReads(projectId: string | undefined, withDefaults: boolean) {
  return {
    limits: ["listOrganizationRateLimits", { project_id: projectId, limit: FIRST_ROWS }] as const,
    models: wholeList("listOrganizationModels"),
    plans: wholeList("listRateLimitPlans"),
    ...(withDefaults && { defaults: defaultsRead }),
  };
}
