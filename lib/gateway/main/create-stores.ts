import { createAccessRefusalStore } from "../access/access-refusal-store.sql";
import { createSessionStore } from "../access/session-store.sql";
import { createAccessRequestStore } from "../access-requests/access-request-store.sql";
import { createBatchClaims, createBatchStore } from "../batches/batch-store.sql";
import { createAuditLogReader } from "../changes/audit/audit-log-reader.sql";
import type { Write } from "../changes/change";
import { createChangeLog } from "../changes/transactions.sql";
import { createPlanStore } from "../configuration-plans/plan-store.sql";
import type { Database } from "../database/database";
import type { Sealing } from "../database/seal";
import { createDigestStore, createFileStore } from "../files/file-store.sql";
import { createIdempotentCharges, createIdempotentReplies } from "../idempotency/idempotent-replies.sql";
import { createKeyStore, createServiceAccountStore } from "../keys/key-store.sql";
import { createPendingPaymentStore } from "../ledger/payments/pending-payment-store.sql";
import { createLedgerReader } from "../ledger/reads/ledger-reader.sql";
import { readHeld, readLastEntryMs, readSpent } from "../ledger/reads/read-spent.sql";
import {
  createSpendAlertFiringReader,
  createSpendAlertStore,
  createSpendLimitStore,
} from "../ledger/spend-limits/spend-alert-store.sql";
import { createStatementStore } from "../ledger/statements/statement-store.sql";
import { createUnaccountedCostStore } from "../ledger/unaccounted/unaccounted-cost-store.sql";
import { createBodySettingsStore } from "../log/bodies/body-settings.sql";
import { createStoredBodyReader } from "../log/bodies/stored-bodies.sql";
import { createReceiptLinkStore } from "../log/requests/receipt-link-store.sql";
import { createRequestLogReader } from "../log/requests/request-log-reader.sql";
import { BackgroundResponseStore } from "../log/responses/background-response-store.sql";
import { ModelConversationStore } from "../log/responses/conversation-store.sql";
import { createResponseStore } from "../log/responses/response-store.sql";
import { createUsageReader } from "../log/usage/usage-reader.sql";
import { createModelStore } from "../models/model-store.sql";
import { createProviderStore } from "../models/providers/provider-store.sql";
import { createScheduledPriceStore } from "../models/scheduled-price-store.sql";
import { createGroupStore } from "../people/group-store.sql";
import { createInviteStore } from "../people/invite-store.sql";
import { createUserStore } from "../people/user-store.sql";
import { createOrganizationStore } from "../projects/organization-store.sql";
import { createModelPermissionStore, createProjectStore } from "../projects/project-store.sql";
import { createBackgroundAnswerStore } from "../prompts/conversations/background-answer-store.sql";
import { createConversationStore } from "../prompts/conversations/conversation-store.sql";
import { createPromptRunStore } from "../prompts/prompt-run-store.sql";
import { createPromptStore } from "../prompts/prompt-store.sql";
import { createLimitApprovalStore } from "../rate-limits/limit-approval-store.sql";
import { createLimitChangeStore } from "../rate-limits/limit-change-store.sql";
import { createLimitPlanStore } from "../rate-limits/limit-plan-store.sql";
import { createRateLimitStore } from "../rate-limits/rate-limit-store.sql";
import { readPastCalls } from "../rate-limits/read-past-calls.sql";
import { createRoleStore } from "../roles/role-store.sql";
import {
  createCredentialStore,
  createIdentityStore,
  createPasswordResetStore,
} from "../sign-in/credential-store.sql";
import { createAttemptStore, createDeviceStore, createUsedCodeStore } from "../sign-in/sign-in-state.sql";
import { createAlertClaims } from "../tasks/callbacks/alert-claims.sql";
import { createResponseCallbackClaims } from "../tasks/callbacks/response-callbacks.sql";
import { createTaskCallbackClaims, createTaskCallbackStore } from "../tasks/callbacks/task-callbacks.sql";
import { createTaskClaims } from "../tasks/task-claims.sql";
import { createTaskStore } from "../tasks/task-store.sql";

/**
 * Creates the stores of the embedded database. They read on their own connection, and write in the transaction passed
 * to them.
 */
export function createStores(reads: Database, sealing: Sealing) {
  const invites = createInviteStore(reads);
  const users = createUserStore(reads);
  const tasks = createTaskStore(reads);
  const files = createFileStore(reads);
  return {
    digests: createDigestStore(reads),
    changeLog: createChangeLog(reads),
    ledger: createLedgerReader(reads),
    /** Past calls and charges, so that limits hold across restarts. */
    past: {
      calls: (nowMs: number, withinMs: number) => readPastCalls(reads, nowMs, withinMs),
      spent: (sinceMs: number, untilMs: number) => readSpent(reads, sinceMs, untilMs),
      lastEntryMs: () => readLastEntryMs(reads),
      held: () => readHeld(reads),
    },
    closedStatements: createStatementStore(reads),
    requests: createRequestLogReader(reads),
    ...createAskedStores(reads),
    conversations: createConversationStore(reads, sealing),
    backgroundAnswerStore: createBackgroundAnswerStore(reads, sealing),
    prompts: createPromptStore(reads, sealing),
    promptRuns: createPromptRunStore(reads, sealing),
    bodySettings: createBodySettingsStore(reads),
    ...createKeptStores(reads, sealing),
    usage: createUsageReader(reads),
    auditLog: createAuditLogReader(reads),
    ...createCountedStores(reads),
    organizations: createOrganizationStore(reads),
    projects: createProjectStore(reads),
    keys: createKeyStore(reads),
    idempotentCharges: createIdempotentCharges(reads, sealing.key),
    idempotentReplies: createIdempotentReplies(reads, sealing),
    serviceAccounts: createServiceAccountStore(reads),
    invites,
    credentialStore: createCredentialStore(reads),
    usedCodes: createUsedCodeStore(reads),
    signInAttempts: createAttemptStore(reads),
    devices: createDeviceStore(reads),
    identities: createIdentityStore(reads),
    passwordResets: createPasswordResetStore(reads),
    spendAlerts: createSpendAlertStore(reads),
    firings: createSpendAlertFiringReader(reads),
    /** Creates the claims of the process `owner`. */
    alertClaims: (write: Write, owner: string) => createAlertClaims(reads, write, owner),
    files,
    batches: createBatchStore(reads),
    /** Creates the claims of the process `owner`. */
    batchClaims: (write: Write, owner: string) => createBatchClaims(reads, write, { owner, files }),
    tasks,
    taskCallbacks: createTaskCallbackStore(reads, sealing.key),
    /** Creates the claims of the process `owner`. */
    taskCallbackClaims: (write: Write, owner: string, currency: string) =>
      createTaskCallbackClaims(reads, write, { owner, secret: sealing.key, tasks, currency }),
    /** Creates the claims of the process `owner`. */
    taskClaims: (write: Write, owner: string) =>
      createTaskClaims(reads, write, { owner, secret: sealing.key }),
    spendLimits: createSpendLimitStore(reads),
    pendingPayments: createPendingPaymentStore(reads),
    sessions: createSessionStore(reads),
    roles: createRoleStore(reads),
    users,
    groups: createGroupStore(reads),
    rateLimits: createRateLimitStore(reads),
    modelPermissions: createModelPermissionStore(reads),
    models: createModelStore(reads),
    scheduledPrices: createScheduledPriceStore(reads),
    providers: createProviderStore(reads, sealing),
  };
}

/** The stores of what people ask for, plan and show, and of the limits that they change together. */
function createAskedStores(reads: Database) {
  return {
    accessRequests: createAccessRequestStore(reads),
    plans: createPlanStore(reads),
    receiptLinks: createReceiptLinkStore(reads),
    limitChanges: createLimitChangeStore(reads),
    limitPlans: createLimitPlanStore(reads),
    limitApprovals: createLimitApprovalStore(reads),
  };
}

/** The stores of what is counted in memory first. */
function createCountedStores(reads: Database) {
  return {
    accessRefusalStore: createAccessRefusalStore(reads),
    unaccountedCostStore: createUnaccountedCostStore(reads),
  };
}

/** The stores of what is kept of calls. */
function createKeptStores(reads: Database, sealing: Sealing) {
  return {
    storedBodies: createStoredBodyReader(reads, sealing.key),
    responseStore: createResponseStore(reads, sealing),
    backgroundResponseStore: new BackgroundResponseStore(reads, sealing),
    modelConversations: new ModelConversationStore(reads, sealing),
    /** Creates the claims of the process `owner`. */
    responseCallbackClaims: (write: Write, owner: string) =>
      createResponseCallbackClaims(reads, write, { owner, secret: sealing.key }),
  };
}

export type EmbeddedStores = ReturnType<typeof createStores>;
