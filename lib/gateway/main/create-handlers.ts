import { accessRefusalRoutes } from "../routes/access-refusals";
import { adminApiKeyRoutes } from "../routes/admin-api-keys";
import { auditLogRoutes } from "../routes/audit-logs";
import { balanceRoutes } from "../routes/balance";
import { batchRoutes } from "../routes/batches";
import { conversationRoutes } from "../routes/conversations";
import { costRoutes } from "../routes/costs";
import { fileRoutes } from "../routes/files";
import { findKeyRoutes } from "../routes/find-api-key";
import { groupUserRoutes } from "../routes/group-users";
import { groupRoutes } from "../routes/groups";
import type { Handlers } from "../routes/handler";
import { healthRoutes } from "../routes/health";
import { inviteRoutes } from "../routes/invites";
import { limitUsageRoutes } from "../routes/limit-usage";
import { modelPermissionRoutes } from "../routes/model-permissions";
import { modelRoutes } from "../routes/models";
import { passwordRoutes } from "../routes/passwords";
import { paymentRoutes } from "../routes/payments";
import { permissionRoutes } from "../routes/permissions";
import { projectApiKeyRoutes } from "../routes/project-api-keys";
import { projectGroupRoutes } from "../routes/project-groups";
import { projectRoleRoutes } from "../routes/project-roles";
import { projectUserRoutes } from "../routes/project-users";
import { projectRoutes } from "../routes/projects";
import { promptRunRoutes } from "../routes/prompt-runs";
import { promptRoutes } from "../routes/prompts";
import { providerRoutes } from "../routes/providers";
import { rateLimitRoutes } from "../routes/rate-limits";
import { reconciliationRoutes } from "../routes/reconciliation";
import { requestBodyRoutes } from "../routes/request-bodies";
import { requestRoutes } from "../routes/requests";
import { roleAssignmentRoutes } from "../routes/role-assignments";
import { roleHolderRoutes } from "../routes/role-holders";
import { roleRoutes } from "../routes/roles";
import { scheduledPriceRoutes } from "../routes/scheduled-prices";
import { serviceAccountRoutes } from "../routes/service-accounts";
import { sessionRoutes } from "../routes/sessions";
import { signInRoutes } from "../routes/sign-in";
import { singleSignOnRoutes } from "../routes/single-sign-on";
import { spendAlertFiringRoutes } from "../routes/spend-alert-firings";
import { spendAlertRoutes } from "../routes/spend-alerts";
import { spendLimitRoutes } from "../routes/spend-limits";
import { statementRoutes } from "../routes/statements";
import { taskCallbackRoutes } from "../routes/task-callbacks";
import { taskRoutes } from "../routes/tasks";
import { twoFactorRoutes } from "../routes/two-factor";
import { usageRoutes } from "../routes/usage";
import { usageSummaryRoutes } from "../routes/usage-summary";
import { userRoutes } from "../routes/users";
import { videoRoutes } from "../routes/videos";
import type { openBatches } from "./background/open-batches";
import type { createContext } from "./create-context";

export type HandlerContext = ReturnType<typeof createContext> &
  Pick<ReturnType<typeof openBatches>, "workOnBatches" | "stopBatch">;

/** The routes of every operation but those that are streamed. */
export function createHandlers(context: HandlerContext): Handlers {
  return {
    ...projectRoutes(context),
    ...projectApiKeyRoutes(context),
    ...serviceAccountRoutes(context),
    ...adminApiKeyRoutes(context),
    ...findKeyRoutes(context),
    ...inviteRoutes(context),
    ...sessionRoutes(context),
    ...signInRoutes(context),
    ...singleSignOnRoutes(context),
    ...passwordRoutes(context),
    ...twoFactorRoutes(context),
    ...roleRoutes(context),
    ...userRoutes(context),
    ...roleAssignmentRoutes(context),
    ...roleHolderRoutes(context),
    ...permissionRoutes(context),
    ...groupRoutes(context),
    ...groupUserRoutes(context),
    ...projectUserRoutes(context),
    ...projectGroupRoutes(context),
    ...projectRoleRoutes(context),
    ...rateLimitRoutes(context),
    ...limitUsageRoutes(context),
    ...modelPermissionRoutes(context),
    ...modelRoutes(context),
    ...scheduledPriceRoutes(context),
    ...providerRoutes(context),
    ...healthRoutes(context),
    ...requestRoutes(context),
    ...requestBodyRoutes(context),
    ...usageRoutes(context),
    ...usageSummaryRoutes(context),
    ...costRoutes(context),
    ...auditLogRoutes(context),
    ...accessRefusalRoutes(context),
    ...spendLimitRoutes(context),
    ...spendAlertRoutes(context),
    ...spendAlertFiringRoutes(context),
    ...balanceRoutes(context),
    ...paymentRoutes(context),
    ...statementRoutes(context),
    ...reconciliationRoutes(context),
    ...taskRoutes(context),
    ...videoRoutes(context),
    ...fileRoutes(context),
    ...batchRoutes(context),
    ...taskCallbackRoutes(context),
    ...conversationRoutes(context),
    ...promptRoutes(context),
    ...promptRunRoutes(context),
  };
}
