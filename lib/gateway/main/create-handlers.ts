import { accessRefusalRoutes } from "../routes/audit/access-refusals";
import { auditLogRoutes } from "../routes/audit/audit-logs";
import { receiptLinkRoutes } from "../routes/calls/receipt-links";
import { requestBodyRoutes } from "../routes/calls/request-bodies";
import { requestRoutes } from "../routes/calls/requests";
import {
  type ResponseConversationIds,
  responseConversationRoutes,
} from "../routes/calls/response-conversations";
import { type ResponseIds, responseRoutes } from "../routes/calls/responses";
import { type ConfigurationIds, configurationRoutes } from "../routes/configuration/configuration";
import type { Handlers } from "../routes/handler";
import { adminApiKeyRoutes } from "../routes/keys/admin-api-keys";
import { foundApiKeyRoutes } from "../routes/keys/found-api-keys";
import { keyChangesRoutes } from "../routes/keys/key-changes";
import { projectApiKeyRoutes } from "../routes/keys/project-api-keys";
import { serviceAccountRoutes } from "../routes/keys/service-accounts";
import { modelImportRoutes } from "../routes/models/model-imports";
import { modelRouteRoutes } from "../routes/models/model-routes";
import { modelRoutes } from "../routes/models/models";
import { priceCheckRoutes, scheduledPriceRoutes } from "../routes/models/prices";
import { providerTestRoutes } from "../routes/models/provider-tests";
import { providerRoutes } from "../routes/models/providers";
import { rateLimitApprovalRoutes } from "../routes/models/rate-limit-approvals";
import { rateLimitChangeRoutes } from "../routes/models/rate-limit-changes";
import { rateLimitPlanRoutes } from "../routes/models/rate-limit-plans";
import { rateLimitProofRoutes } from "../routes/models/rate-limit-proofs";
import { rateLimitReplayRoutes } from "../routes/models/rate-limit-replay";
import { rateLimitDefaultRoutes, rateLimitRoutes } from "../routes/models/rate-limits";
import { balanceRoutes } from "../routes/money/balance";
import { paymentRoutes } from "../routes/money/payments";
import { reconciliationRoutes, unaccountedCostRoutes } from "../routes/money/reconciliation";
import { spendAlertFiringRoutes } from "../routes/money/spend-alert-firings";
import { spendAlertRoutes } from "../routes/money/spend-alerts";
import { spendLimitRoutes } from "../routes/money/spend-limits";
import { statementRoutes } from "../routes/money/statements";
import { accessRequestRoutes } from "../routes/people/access-requests";
import { groupUserRoutes } from "../routes/people/group-users";
import { groupRoutes } from "../routes/people/groups";
import { inviteRoutes } from "../routes/people/invites";
import { roleAssignmentRoutes } from "../routes/people/role-assignments";
import { permissionRoutes, roleHolderRoutes, roleRoutes } from "../routes/people/roles";
import { userChangesRoutes } from "../routes/people/user-changes";
import { userRoutes } from "../routes/people/users";
import { backgroundAnswerRoutes, conversationRoutes } from "../routes/playground/conversations";
import { promptRunRoutes } from "../routes/playground/prompt-runs";
import { promptRoutes } from "../routes/playground/prompts";
import { modelPermissionRoutes } from "../routes/projects/model-permissions";
import { organizationRoutes } from "../routes/projects/organization";
import { projectGroupRoutes } from "../routes/projects/project-groups";
import { projectRoleRoutes } from "../routes/projects/project-roles";
import { projectSummaryRoutes } from "../routes/projects/project-summaries";
import { projectUserRoutes } from "../routes/projects/project-users";
import { projectRoutes } from "../routes/projects/projects";
import { searchRoutes } from "../routes/search/search";
import { passwordRoutes } from "../routes/sign-in/passwords";
import { sessionRoutes } from "../routes/sign-in/sessions";
import { signInRoutes } from "../routes/sign-in/sign-in";
import { singleSignOnRoutes } from "../routes/sign-in/single-sign-on";
import { twoFactorRoutes } from "../routes/sign-in/two-factor";
import { batchRoutes } from "../routes/tasks/batches";
import { fileRoutes } from "../routes/tasks/files";
import { taskCallbackRoutes } from "../routes/tasks/task-callbacks";
import { ownTaskRoutes, taskRoutes, videoRoutes } from "../routes/tasks/tasks";
import { chargedUnitRoutes, costRoutes } from "../routes/usage/costs";
import { healthRoutes } from "../routes/usage/health";
import { limitUsageRoutes } from "../routes/usage/limit-usage";
import { usageRoutes } from "../routes/usage/usage";
import { usageSummaryRoutes } from "../routes/usage/usage-summary";
import type { Mailer } from "../sign-in/mailer";
import type { openBatches } from "./background/open-batches";
import type { createContext } from "./create-context";
import { openStage } from "./memory/open-stage";

export type HandlerContext = ReturnType<typeof createContext> &
  Pick<ReturnType<typeof openBatches>, "findCaller" | "workOnBatches" | "stopBatch" | "describePace">;

/** The handlers of all operations except streamed ones. */
export function createHandlers(context: HandlerContext): Handlers {
  return {
    ...createRoutes(context),
    ...createKeptRoutes(context),
    ...configurationRoutes({
      ...context,
      openInside: async (transaction) => {
        const mails: Parameters<Mailer["send"]>[0][] = [];
        // Nobody gets a mail about what isn't committed.
        const mailer = context.mailer && { send: (mail: (typeof mails)[number]) => void mails.push(mail) };
        const inside = { ...context, ...(await openStage(context, transaction)), mailer };
        const invited = await inside.invites.listPending(context.runtime.clock.nowMs());
        return {
          context: { ...inside, invited },
          handlers: { ...createRoutes(inside), ...createKeptRoutes(inside) },
          sendMails: () => mails.forEach((mail) => context.mailer?.send(mail)),
        };
      },
    }),
  };
}

/** The handlers of stored responses and conversations. */
function createKeptRoutes(context: HandlerContext): Handlers<ResponseIds | ResponseConversationIds> {
  return { ...responseRoutes(context), ...responseConversationRoutes(context) };
}

/** Those that a plan of changes performs, too. */
function createRoutes(
  context: HandlerContext,
): Omit<Handlers, ConfigurationIds | ResponseIds | ResponseConversationIds> {
  return {
    ...createLimitRoutes(context),
    ...organizationRoutes(context),
    ...projectRoutes(context),
    ...projectSummaryRoutes(context),
    ...projectApiKeyRoutes(context),
    ...keyChangesRoutes(context),
    ...serviceAccountRoutes(context),
    ...adminApiKeyRoutes(context),
    ...foundApiKeyRoutes(context),
    ...inviteRoutes(context),
    ...searchRoutes(context),
    ...sessionRoutes(context),
    ...signInRoutes(context),
    ...singleSignOnRoutes(context),
    ...passwordRoutes(context),
    ...twoFactorRoutes(context),
    ...roleRoutes(context),
    ...userRoutes(context),
    ...userChangesRoutes(context),
    ...roleAssignmentRoutes(context),
    ...roleHolderRoutes(context),
    ...permissionRoutes(context),
    ...groupRoutes(context),
    ...groupUserRoutes(context),
    ...projectUserRoutes(context),
    ...projectGroupRoutes(context),
    ...projectRoleRoutes(context),
    ...modelPermissionRoutes(context),
    ...modelRoutes(context),
    ...unaccountedCostRoutes(context),
    ...modelRouteRoutes(context),
    ...scheduledPriceRoutes(context),
    ...providerRoutes(context),
    ...providerTestRoutes(context),
    ...modelImportRoutes(context),
    ...priceCheckRoutes(context),
    ...healthRoutes(context),
    ...chargedUnitRoutes(context),
    ...requestRoutes(context),
    ...receiptLinkRoutes(context),
    ...requestBodyRoutes(context),
    ...usageRoutes(context),
    ...usageSummaryRoutes(context),
    ...costRoutes(context),
    ...auditLogRoutes(context),
    ...accessRefusalRoutes(context),
    ...accessRequestRoutes(context),
    ...spendLimitRoutes(context),
    ...spendAlertRoutes(context),
    ...spendAlertFiringRoutes(context),
    ...balanceRoutes(context),
    ...paymentRoutes(context),
    ...statementRoutes(context),
    ...reconciliationRoutes(context),
    ...taskRoutes(context),
    ...ownTaskRoutes(context),
    ...videoRoutes(context),
    ...fileRoutes(context),
    ...batchRoutes(context),
    ...taskCallbackRoutes(context),
    ...conversationRoutes(context),
    ...backgroundAnswerRoutes(context),
    ...promptRoutes(context),
    ...promptRunRoutes(context),
  };
}

function createLimitRoutes(context: HandlerContext) {
  return {
    ...rateLimitRoutes(context),
    ...rateLimitChangeRoutes(context),
    ...rateLimitDefaultRoutes(context),
    ...rateLimitPlanRoutes(context),
    ...rateLimitApprovalRoutes(context),
    ...rateLimitProofRoutes(context),
    ...rateLimitReplayRoutes(context),
    ...limitUsageRoutes(context),
  };
}
