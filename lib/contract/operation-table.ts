import type { Operation } from "./operation";
import { accessRefusalOperations } from "./operations/access-refusals";
import { adminApiKeyOperations } from "./operations/admin-api-keys";
import { audioOperations } from "./operations/audio";
import { auditLogOperations } from "./operations/audit-logs";
import { balanceOperations } from "./operations/balance";
import { batchOperations } from "./operations/batches";
import { chargedUnitOperations } from "./operations/charged-units";
import { completionOperations } from "./operations/completions";
import { conversationOperations } from "./operations/conversations";
import { embeddingOperations } from "./operations/embeddings";
import { fileOperations } from "./operations/files";
import { foundApiKeyOperations } from "./operations/found-api-keys";
import { groupUserOperations } from "./operations/group-users";
import { groupOperations } from "./operations/groups";
import { healthOperations } from "./operations/health";
import { imageOperations } from "./operations/images";
import { inviteOperations } from "./operations/invites";
import { limitUsageOperations } from "./operations/limit-usage";
import { modelPermissionOperations } from "./operations/model-permissions";
import { modelOperations } from "./operations/models";
import { moderationOperations } from "./operations/moderations";
import { passwordOperations } from "./operations/passwords";
import { paymentImportOperations } from "./operations/payment-import";
import { paymentOperations } from "./operations/payments";
import { permissionOperations } from "./operations/permissions";
import { projectApiKeyOperations } from "./operations/project-api-keys";
import { projectGroupOperations } from "./operations/project-groups";
import { projectRoleAssignmentOperations } from "./operations/project-role-assignments";
import { projectRoleOperations } from "./operations/project-roles";
import { projectUserOperations } from "./operations/project-users";
import { projectOperations } from "./operations/projects";
import { promptRunOperations } from "./operations/prompt-runs";
import { promptOperations } from "./operations/prompts";
import { providerOperations } from "./operations/providers";
import { rateLimitOperations } from "./operations/rate-limits";
import { reconciliationOperations } from "./operations/reconciliation";
import { requestBodyOperations } from "./operations/request-bodies";
import { requestOperations } from "./operations/requests";
import { roleAssignmentOperations } from "./operations/role-assignments";
import { roleHolderOperations } from "./operations/role-holders";
import { roleOperations } from "./operations/roles";
import { scheduledPriceOperations } from "./operations/scheduled-prices";
import { searchOperations } from "./operations/search";
import { serviceAccountOperations } from "./operations/service-accounts";
import { sessionOperations } from "./operations/sessions";
import { signInOperations } from "./operations/sign-in";
import { singleSignOnOperations } from "./operations/single-sign-on";
import { spendAlertFiringOperations } from "./operations/spend-alert-firings";
import { spendAlertOperations } from "./operations/spend-alerts";
import { spendLimitOperations } from "./operations/spend-limits";
import { statementOperations } from "./operations/statements";
import { taskCallbackOperations } from "./operations/task-callbacks";
import { taskOperations } from "./operations/tasks";
import { twoFactorOperations } from "./operations/two-factor";
import { usageOperations } from "./operations/usage";
import { usageSummaryOperations } from "./operations/usage-summary";
import { userOperations } from "./operations/users";
import { videoOperations } from "./operations/videos";

/**
 * All operations of the gateway. Routes, permission checks, reference, client and test matrix are made from this table.
 */
export const operations = {
  ...completionOperations,
  ...taskOperations,
  ...taskCallbackOperations,
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
  ...scheduledPriceOperations,
  ...projectOperations,
  ...rateLimitOperations,
  ...limitUsageOperations,
  ...modelPermissionOperations,
  ...projectApiKeyOperations,
  ...serviceAccountOperations,
  ...adminApiKeyOperations,
  ...foundApiKeyOperations,
  ...inviteOperations,
  ...roleOperations,
  ...userOperations,
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
