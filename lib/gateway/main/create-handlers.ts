import { accessRefusalRoutes, auditLogRoutes } from "../routes/audit/audit-logs";
import { receiptLinkRoutes } from "../routes/calls/receipt-links";
import { requestBodyRoutes, requestRoutes } from "../routes/calls/requests";
import {
  type ResponseConversationIds,
  type ResponseIds,
  responseConversationRoutes,
  responseRoutes,
} from "../routes/calls/responses";
import { type ConfigurationIds, configurationRoutes } from "../routes/configuration/configuration";
import type { Handlers } from "../routes/handler";
import { adminApiKeyRoutes } from "../routes/keys/admin-api-keys";
import { foundApiKeyRoutes, keyChangesRoutes, projectApiKeyRoutes } from "../routes/keys/project-api-keys";
import { serviceAccountRoutes } from "../routes/keys/service-accounts";
import { modelRouteRoutes } from "../routes/models/model-routes";
import { modelImportRoutes, modelRoutes } from "../routes/models/models";
import { priceCheckRoutes, scheduledPriceRoutes } from "../routes/models/prices";
import { providerRoutes, providerTestRoutes } from "../routes/models/providers";
import { rateLimitChangeRoutes } from "../routes/models/rate-limit-changes";
import { rateLimitProofRoutes } from "../routes/models/rate-limit-proofs";
import { rateLimitReplayRoutes } from "../routes/models/rate-limit-replay";
import {
  rateLimitApprovalRoutes,
  rateLimitDefaultRoutes,
  rateLimitPlanRoutes,
  rateLimitRoutes,
} from "../routes/models/rate-limits";
import { balanceRoutes } from "../routes/money/balance";
import { paymentRoutes } from "../routes/money/payments";
import { reconciliationRoutes, unaccountedCostRoutes } from "../routes/money/reconciliation";
import { spendAlertFiringRoutes, spendAlertRoutes } from "../routes/money/spend-alerts";
import { spendLimitRoutes } from "../routes/money/spend-limits";
import { statementRoutes } from "../routes/money/statements";
import { accessRequestRoutes } from "../routes/people/access-requests";
import { groupRoutes, groupUserRoutes } from "../routes/people/groups";
import { inviteRoutes } from "../routes/people/invites";
import { roleAssignmentRoutes } from "../routes/people/role-assignments";
import { permissionRoutes, roleHolderRoutes, roleRoutes } from "../routes/people/roles";
import { userChangesRoutes } from "../routes/people/user-changes";
import { userRoutes } from "../routes/people/users";
import { backgroundAnswerRoutes, conversationRoutes } from "../routes/playground/conversations";
import { promptRoutes, promptRunRoutes } from "../routes/playground/prompts";
import { projectSummaryRoutes } from "../routes/projects/project-summaries";
import {
  modelPermissionRoutes,
  organizationRoutes,
  projectGroupRoutes,
  projectRoleRoutes,
  projectRoutes,
  projectUserRoutes,
} from "../routes/projects/projects";
import { searchRoutes } from "../routes/search/search";
import { sessionRoutes } from "../routes/sign-in/sessions";
import { passwordRoutes, signInRoutes, singleSignOnRoutes, twoFactorRoutes } from "../routes/sign-in/sign-in";
import { batchRoutes } from "../routes/tasks/batches";
import { fileRoutes } from "../routes/tasks/files";
import { ownTaskRoutes, taskCallbackRoutes, taskRoutes, videoRoutes } from "../routes/tasks/tasks";
import { healthRoutes } from "../routes/usage/health";
import { limitUsageRoutes } from "../routes/usage/limit-usage";
import { chargedUnitRoutes, costRoutes, usageRoutes } from "../routes/usage/usage";
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
