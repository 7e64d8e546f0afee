import type { Operation } from "./operation";
import { accessRefusalOperations, auditLogOperations } from "./operations/audit/audit-logs";
import { audioOperations } from "./operations/calls/audio";
import { completionOperations } from "./operations/calls/completions";
import { embeddingOperations } from "./operations/calls/embeddings";
import { imageOperations } from "./operations/calls/images";
import { moderationOperations } from "./operations/calls/moderations";
import { receiptLinkOperations } from "./operations/calls/receipt-links";
import { requestBodyOperations } from "./operations/calls/request-bodies";
import { requestOperations } from "./operations/calls/requests";
import { responseConversationOperations } from "./operations/calls/response-conversations";
import { responseOperations } from "./operations/calls/responses";
import { configurationOperations } from "./operations/configuration/configuration";
import { adminApiKeyOperations } from "./operations/keys/admin-api-keys";
import { foundApiKeyOperations, keyChangesOperations } from "./operations/keys/key-changes";
import { orphanedApiKeyOperations, projectApiKeyOperations } from "./operations/keys/project-api-keys";
import { serviceAccountOperations } from "./operations/keys/service-accounts";
import { modelImportOperations } from "./operations/models/model-imports";
import { modelRouteOperations } from "./operations/models/model-routes";
import { modelOperations } from "./operations/models/models";
import { priceCheckOperations } from "./operations/models/price-checks";
import { providerTestOperations } from "./operations/models/provider-tests";
import { providerOperations } from "./operations/models/providers";
import { rateLimitApprovalOperations } from "./operations/models/rate-limit-approvals";
import { rateLimitChangeOperations } from "./operations/models/rate-limit-changes";
import { rateLimitDefaultOperations } from "./operations/models/rate-limit-defaults";
import { rateLimitPlanOperations } from "./operations/models/rate-limit-plans";
import { rateLimitProofOperations } from "./operations/models/rate-limit-proofs";
import { rateLimitReplayOperations } from "./operations/models/rate-limit-replay";
import { rateLimitOperations } from "./operations/models/rate-limits";
import { scheduledPriceOperations } from "./operations/models/scheduled-prices";
import { balanceOperations } from "./operations/money/balance";
import { paymentImportOperations } from "./operations/money/payment-import";
import { paymentOperations } from "./operations/money/payments";
import { reconciliationOperations } from "./operations/money/reconciliation";
import { spendAlertFiringOperations } from "./operations/money/spend-alert-firings";
import { spendAlertOperations } from "./operations/money/spend-alerts";
import { spendLimitOperations } from "./operations/money/spend-limits";
import { statementOperations } from "./operations/money/statements";
import { unaccountedCostOperations } from "./operations/money/unaccounted-costs";
import { accessRequestOperations } from "./operations/people/access-requests";
import { groupOperations, groupUserOperations } from "./operations/people/groups";
import { inviteOperations } from "./operations/people/invites";
import { permissionOperations } from "./operations/people/permissions";
import { roleAssignmentOperations } from "./operations/people/role-assignments";
import { roleHolderOperations, roleOperations } from "./operations/people/roles";
import { userChangesOperations, userOperations } from "./operations/people/users";
import { conversationOperations } from "./operations/playground/conversations";
import { promptRunOperations } from "./operations/playground/prompt-runs";
import { promptOperations } from "./operations/playground/prompts";
import { modelPermissionOperations } from "./operations/projects/model-permissions";
import { organizationOperations } from "./operations/projects/organization";
import { projectRoleAssignmentOperations, projectRoleOperations } from "./operations/projects/project-roles";
import { projectSummaryOperations } from "./operations/projects/project-summaries";
import { projectUserOperations } from "./operations/projects/project-users";
import { projectGroupOperations, projectOperations } from "./operations/projects/projects";
import { searchOperations } from "./operations/search/search";
import { passwordOperations } from "./operations/sign-in/passwords";
import { sessionOperations } from "./operations/sign-in/sessions";
import { signInOperations } from "./operations/sign-in/sign-in";
import { singleSignOnOperations } from "./operations/sign-in/single-sign-on";
import { twoFactorOperations } from "./operations/sign-in/two-factor";
import { batchOperations } from "./operations/tasks/batches";
import { fileOperations } from "./operations/tasks/files";
import { taskCallbackOperations } from "./operations/tasks/task-callbacks";
import { taskOperations } from "./operations/tasks/tasks";
import { videoOperations } from "./operations/tasks/videos";
import { chargedUnitOperations } from "./operations/usage/charged-units";
import { healthOperations } from "./operations/usage/health";
import { limitUsageOperations } from "./operations/usage/limit-usage";
import { usageOperations } from "./operations/usage/usage";
import { usageSummaryOperations } from "./operations/usage/usage-summary";

/**
 * All operations of the gateway. Routes, permission checks, reference, client and test matrix are made from this table.
 */
export const operations = {
  ...completionOperations,
  ...responseOperations,
  ...responseConversationOperations,
  ...taskOperations,
  ...taskCallbackOperations,
  ...configurationOperations,
  ...embeddingOperations,
  ...moderationOperations,
  ...audioOperations,
  ...imageOperations,
  ...videoOperations,
  ...fileOperations,
  ...batchOperations,
  ...conversationOperations,
  ...promptOperations,
  ...promptRunOperations,
  ...modelOperations,
  ...modelRouteOperations,
  ...unaccountedCostOperations,
  ...providerTestOperations,
  ...modelImportOperations,
  ...priceCheckOperations,
  ...scheduledPriceOperations,
  ...organizationOperations,
  ...projectOperations,
  ...projectSummaryOperations,
  ...rateLimitOperations,
  ...rateLimitChangeOperations,
  ...rateLimitDefaultOperations,
  ...rateLimitPlanOperations,
  ...rateLimitApprovalOperations,
  ...rateLimitProofOperations,
  ...rateLimitReplayOperations,
  ...limitUsageOperations,
  ...modelPermissionOperations,
  ...projectApiKeyOperations,
  ...keyChangesOperations,
  ...orphanedApiKeyOperations,
  ...serviceAccountOperations,
  ...adminApiKeyOperations,
  ...foundApiKeyOperations,
  ...inviteOperations,
  ...roleOperations,
  ...userOperations,
  ...userChangesOperations,
  ...roleAssignmentOperations,
  ...roleHolderOperations,
  ...permissionOperations,
  ...groupOperations,
  ...groupUserOperations,
  ...projectUserOperations,
  ...projectGroupOperations,
  ...projectRoleOperations,
  ...projectRoleAssignmentOperations,
  ...balanceOperations,
  ...paymentOperations,
  ...paymentImportOperations,
  ...chargedUnitOperations,
  ...statementOperations,
  ...reconciliationOperations,
  ...requestOperations,
  ...receiptLinkOperations,
  ...requestBodyOperations,
  ...usageOperations,
  ...usageSummaryOperations,
  ...spendLimitOperations,
  ...spendAlertOperations,
  ...spendAlertFiringOperations,
  ...providerOperations,
  ...healthOperations,
  ...searchOperations,
  ...sessionOperations,
  ...signInOperations,
  ...singleSignOnOperations,
  ...passwordOperations,
  ...twoFactorOperations,
  ...auditLogOperations,
  ...accessRefusalOperations,
  ...accessRequestOperations,
};

export type OperationId = keyof typeof operations;

export const operationTable: readonly Operation[] = Object.values(operations) as readonly Operation[];

const reads = new Map(
  operationTable.filter(({ method }) => method === "GET").map((operation) => [operation.path, operation]),
);

/**
 * The operation that returns the object that another one changes: GET of its path or, for an action such as
 * `…/archive`, of the path before it. Undefined if the operation doesn't support If-Match.
 */
export function findRetrieveOperation({ effect, path }: Operation): Operation | undefined {
  if (effect !== "edits" && effect !== "sets" && effect !== "deletes") return undefined;
  return reads.get(path) ?? reads.get(path.slice(0, path.lastIndexOf("/")));
}
