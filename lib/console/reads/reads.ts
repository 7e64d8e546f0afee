import type { OperationId, operations } from "@/lib/contract/operation-table";
import type { OperationReply } from "../gateway/gateway-request";

// Safe for the browser: no imports but types.

/** The reads that the browser may repeat: each operation with its noun in `/api/<noun>`. Nouns are unique. */
export const readNouns = {
  retrieveMe: "me",
  retrieveSignInSettings: "sign-in-settings",
  listSessions: "sessions",
  retrieveOrganization: "organization",
  listConfigurationApplications: "configuration-applications",
  retrieveConfiguration: "configuration",
  compareConfigurations: "configuration-changes",
  listProjects: "projects",
  listProjectSummaries: "project-summaries",
  retrieveProject: "project",
  listProjectUsers: "project-users",
  listServiceAccounts: "service-accounts",
  retrieveModelPermissions: "model-permissions",
  retrieveBodySettings: "body-settings",
  retrieveProjectSpendLimit: "project-spend-limit",
  retrieveSpendLimit: "spend-limit",
  listProjectSpendAlerts: "project-spend-alerts",
  listSpendAlerts: "spend-alerts",
  listProjectGroups: "project-groups",
  listAdminApiKeys: "admin-keys",
  listOrphanedApiKeys: "orphaned-keys",
  listProjectApiKeys: "project-api-keys",
  listRateLimits: "rate-limits",
  retrieveRateLimit: "rate-limit",
  listOrganizationRateLimits: "organization-rate-limits",
  listRateLimitChanges: "rate-limit-changes",
  listRateLimitDefaults: "rate-limit-defaults",
  listRateLimitPlans: "rate-limit-plans",
  listRateLimitDrafts: "rate-limit-drafts",
  retrieveRateLimitDraft: "rate-limit-draft",
  retrieveRateLimitApproval: "rate-limit-approval",
  listLimitUsage: "limit-usage",
  listNearLimits: "near-limits",
  listRoles: "roles",
  listRoleHolders: "role-holders",
  listOrganizationModels: "models",
  listScheduledPrices: "scheduled-prices",
  retrieveModelRoutes: "model-routes",
  retrieveUnaccountedCosts: "unaccounted-costs",
  retrieveModelRouteActivity: "model-route-activity",
  retrieveChargedUnits: "charged-units",
  listProviders: "providers",
  retrieveLocalServers: "local-servers",
  checkPrices: "price-check",
  retrieveHealth: "health",
  retrieveBalance: "balance",
  retrievePaymentApproval: "payment-approval",
  listAccessRequests: "access-requests",
  listReceiptLinks: "receipt-links",
  listPendingPayments: "pending-payments",
  retrieveReconciliation: "reconciliation",
  listStatements: "statements",
  retrieveStatement: "statement",
  listTasks: "tasks",
  retrieveTask: "task",
  listOwnTasks: "own-tasks",
  retrieveOwnTask: "own-task",
  retrieveTaskCallback: "task-callback",
  listBatches: "batches",
  retrieveBatch: "batch",
  retrieveBatchErrors: "batch-errors",
  listFiles: "files",
  listRequests: "requests",
  retrieveRequest: "request",
  retrieveOwnRequest: "own-request",
  retrieveRequestHistogram: "request-histogram",
  retrieveUsageSummary: "usage",
  retrieveOwnUsageSummary: "own-usage",
  listUsageSums: "usage-sums",
  listOwnUsageSums: "own-usage-sums",
  listOwnConversations: "conversations",
  retrieveConversation: "conversation",
  listPrompts: "prompts",
  retrievePrompt: "prompt",
  listPromptVersions: "prompt-versions",
  listPromptRuns: "prompt-runs",
  retrievePromptRun: "prompt-run",
  listAuditLogs: "audit-logs",
  retrieveAuditLog: "audit-log",
  verifyAuditLogs: "audit-log-verification",
  listAccessRefusals: "access-refusals",
  listLedger: "ledger",
  retrieveLedgerEntry: "ledger-entry",
  retrieveOwnCharge: "own-charge",
  listSpendAlertFirings: "spend-alert-firings",
  listProjectSpendAlertFirings: "project-spend-alert-firings",
  listUsers: "users",
  retrieveUser: "user",
  listUserRoles: "user-roles",
  listProjectUserRoles: "project-user-roles",
  listUserSessions: "user-sessions",
  listInvites: "invites",
  listGroups: "groups",
  retrieveGroup: "group",
  listGroupUsers: "group-users",
  listGroupRoles: "group-roles",
  listProjectGroupRoles: "project-group-roles",
  listProjectRoles: "project-roles",
  explainPermission: "permission-explanation",
  listPermissionHolders: "permission-holders",
} as const satisfies Partial<Record<OperationId, string>>;

export type ReadId = keyof typeof readNouns;
export type ReadReply<Id extends ReadId> = OperationReply<(typeof operations)[Id]>;

/** Path parameters and query of a read together, by their names in the API. */
export type ReadParameters = Readonly<Record<string, string | undefined>>;

/** The `limit` of a list that is read page after page until it has all rows. */
export const WHOLE = "all";

type Page = { has_more: boolean; next?: string | null; last_id?: string | null };

/** The id after which a list's next page begins; undefined for the last page. Lists have `next`, or else `last_id`. */
export function findNextPage({ has_more, next, last_id }: Page): string | undefined {
  return has_more ? (next ?? last_id ?? undefined) : undefined;
}

/** The key of a read in the query cache. Without parameters it matches all reads of its noun. */
export function buildReadKey(id: ReadId, parameters?: ReadParameters): readonly unknown[] {
  const noun = readNouns[id];
  const entries = listDefinedParameters(parameters);
  return entries.length > 0 ? [noun, Object.fromEntries(entries)] : [noun];
}

/** The key of the same read loaded page by page. */
export function buildPagesKey(id: ReadId, parameters?: ReadParameters): readonly unknown[] {
  return [...buildReadKey(id, parameters), "pages"];
}

/** The URL at which the browser repeats a read: `/api/rate-limits?project_id=proj_…`. */
export function buildReadUrl(id: ReadId, parameters?: ReadParameters): string {
  const entries = listDefinedParameters(parameters);
  return `/api/${readNouns[id]}${entries.length > 0 ? `?${new URLSearchParams(entries)}` : ""}`;
}

/** The export formats of lists, with their media types. */
export const exportTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
export type ExportForm = keyof typeof exportTypes;

/** The URL at which the browser downloads the whole list, not only the loaded pages. */
export function buildExportUrl(id: ReadId, filter: ReadParameters = {}, form: ExportForm = "csv"): string {
  return buildReadUrl(id, { ...filter, limit: undefined, export: form });
}

function listDefinedParameters(parameters: ReadParameters = {}): [string, string][] {
  return Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
}
