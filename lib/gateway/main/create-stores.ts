import type { Write } from "../changes/change";
import { createSqliteAccessRefusalStore } from "../store/audit/sqlite-access-refusal-store";
import { createSqliteAuditLogReader } from "../store/audit/sqlite-audit-log-reader";
import { createSqliteChangeLog } from "../store/audit/sqlite-change-log";
import { createSqliteBatchClaims, createSqliteBatchStore } from "../store/batches/sqlite-batch-store";
import { createSqliteStoredBodyReader } from "../store/bodies/sqlite-stored-body-reader";
import { readPastCalls } from "../store/calls/read-past-calls";
import { createSqliteRequestLogReader } from "../store/calls/sqlite-request-log-reader";
import { createSqliteConversationStore } from "../store/conversations/sqlite-conversation-store";
import { createSqliteKeptAnswerStore } from "../store/conversations/sqlite-kept-answer-store";
import type { Database } from "../store/database";
import { createSqliteFileStore } from "../store/files/sqlite-file-store";
import { createSqliteIdempotentChargeStore } from "../store/idempotent-replies/sqlite-idempotent-charge-store";
import { createSqliteIdempotentReplyStore } from "../store/idempotent-replies/sqlite-idempotent-reply-store";
import { readHeld, readLastEntryMs, readSpent } from "../store/ledger-reads/read-spent";
import { createSqliteLedgerReader } from "../store/ledger-reads/sqlite-ledger-reader";
import { createSqlitePendingPaymentStore } from "../store/ledger-reads/sqlite-pending-payment-store";
import { createSqliteGroupStore } from "../store/people/sqlite-group-store";
import { createSqliteInviteStore } from "../store/people/sqlite-invite-store";
import { createSqliteMemberAdmission } from "../store/people/sqlite-member-admission";
import { createSqliteRoleStore } from "../store/people/sqlite-role-store";
import { createSqliteServiceAccountStore } from "../store/people/sqlite-service-account-store";
import { createSqliteUserStore } from "../store/people/sqlite-user-store";
import { createSqlitePromptRunStore } from "../store/prompts/sqlite-prompt-run-store";
import { createSqlitePromptStore } from "../store/prompts/sqlite-prompt-store";
import type { Sealing } from "../store/seal";
import { createSqliteAlertClaims } from "../store/settings/sqlite-alert-claims";
import { createSqliteBodySettingsStore } from "../store/settings/sqlite-body-settings-store";
import { createSqliteKeyStore } from "../store/settings/sqlite-key-store";
import { createSqliteModelPermissionStore } from "../store/settings/sqlite-model-permission-store";
import { createSqliteModelStore } from "../store/settings/sqlite-model-store";
import { createSqliteOrganizationStore } from "../store/settings/sqlite-organization-store";
import { createSqliteProjectStore } from "../store/settings/sqlite-project-store";
import { createSqliteProviderStore } from "../store/settings/sqlite-provider-store";
import { createSqliteRateLimitStore } from "../store/settings/sqlite-rate-limit-store";
import { createSqliteScheduledPriceStore } from "../store/settings/sqlite-scheduled-price-store";
import { createSqliteSpendAlertFiringReader } from "../store/settings/sqlite-spend-alert-firing-reader";
import { createSqliteSpendAlertStore } from "../store/settings/sqlite-spend-alert-store";
import { createSqliteSpendLimitStore } from "../store/settings/sqlite-spend-limit-store";
import { createSqliteAttemptStore } from "../store/sign-in/sqlite-attempt-store";
import {
  createSqliteCredentialStore,
  createSqlitePasswordResetStore,
} from "../store/sign-in/sqlite-credential-store";
import { createSqliteDeviceStore } from "../store/sign-in/sqlite-device-store";
import { createSqliteIdentityStore } from "../store/sign-in/sqlite-identity-store";
import { createSqliteSessionStore } from "../store/sign-in/sqlite-session-store";
import { createSqliteUsedCodeStore } from "../store/sign-in/sqlite-used-code-store";
import { createSqliteStatementStore } from "../store/statements/sqlite-statement-store";
import {
  createSqliteTaskCallbackClaims,
  createSqliteTaskCallbackStore,
} from "../store/tasks/sqlite-task-callbacks";
import { createSqliteTaskClaims } from "../store/tasks/sqlite-task-claims";
import { createSqliteTaskStore } from "../store/tasks/sqlite-task-store";
import { createSqliteUsageReader } from "../store/usage-reads/sqlite-usage-reader";

/**
 * Creates the stores of the embedded database. They read on their own connection, and write in the transaction passed
 * to them.
 */
export function createStores(reads: Database, sealing: Sealing) {
  const invites = createSqliteInviteStore(reads);
  const users = createSqliteUserStore(reads);
  const tasks = createSqliteTaskStore(reads);
  const files = createSqliteFileStore(reads);
  return {
    changeLog: createSqliteChangeLog(reads),
    ledger: createSqliteLedgerReader(reads),
    /** Past calls and charges, so that limits hold across restarts. */
    past: {
      calls: (nowMs: number, withinMs: number) => readPastCalls(reads, nowMs, withinMs),
      spent: (sinceMs: number, untilMs: number) => readSpent(reads, sinceMs, untilMs),
      lastEntryMs: () => readLastEntryMs(reads),
      held: () => readHeld(reads),
    },
    closedStatements: createSqliteStatementStore(reads),
    requests: createSqliteRequestLogReader(reads),
    conversations: createSqliteConversationStore(reads, sealing),
    keptAnswerStore: createSqliteKeptAnswerStore(reads, sealing),
    prompts: createSqlitePromptStore(reads, sealing),
    promptRuns: createSqlitePromptRunStore(reads, sealing),
    bodySettings: createSqliteBodySettingsStore(reads),
    storedBodies: createSqliteStoredBodyReader(reads, sealing.key),
    usage: createSqliteUsageReader(reads),
    auditLog: createSqliteAuditLogReader(reads),
    accessRefusalStore: createSqliteAccessRefusalStore(reads),
    organizations: createSqliteOrganizationStore(reads),
    projects: createSqliteProjectStore(reads),
    keys: createSqliteKeyStore(reads),
    idempotentCharges: createSqliteIdempotentChargeStore(reads, sealing.key),
    idempotentReplies: createSqliteIdempotentReplyStore(reads, sealing),
    serviceAccounts: createSqliteServiceAccountStore(reads),
    invites,
    credentialStore: createSqliteCredentialStore(reads),
    usedCodes: createSqliteUsedCodeStore(reads),
    signInAttempts: createSqliteAttemptStore(reads),
    devices: createSqliteDeviceStore(reads),
    identities: createSqliteIdentityStore(reads),
    passwordResets: createSqlitePasswordResetStore(reads),
    spendAlerts: createSqliteSpendAlertStore(reads),
    firings: createSqliteSpendAlertFiringReader(reads),
    /** Creates the claims of the process `owner`. */
    alertClaims: (write: Write, owner: string) => createSqliteAlertClaims(reads, write, owner),
    files,
    batches: createSqliteBatchStore(reads),
    /** Creates the claims of the process `owner`. */
    batchClaims: (write: Write, owner: string) => createSqliteBatchClaims(reads, write, { owner, files }),
    tasks,
    taskCallbacks: createSqliteTaskCallbackStore(reads, sealing.key),
    /** Creates the claims of the process `owner`. */
    taskCallbackClaims: (write: Write, owner: string, currency: string) =>
      createSqliteTaskCallbackClaims(reads, write, { owner, secret: sealing.key, tasks, currency }),
    /** Creates the claims of the process `owner`. */
    taskClaims: (write: Write, owner: string) =>
      createSqliteTaskClaims(reads, write, { owner, secret: sealing.key }),
    spendLimits: createSqliteSpendLimitStore(reads),
    pendingPayments: createSqlitePendingPaymentStore(reads),
    sessions: createSqliteSessionStore(reads),
    roles: createSqliteRoleStore(reads),
    users,
    memberAdmission: createSqliteMemberAdmission({ invites, users }),
    groups: createSqliteGroupStore(reads),
    rateLimits: createSqliteRateLimitStore(reads),
    modelPermissions: createSqliteModelPermissionStore(reads),
    models: createSqliteModelStore(reads),
    scheduledPrices: createSqliteScheduledPriceStore(reads),
    providers: createSqliteProviderStore(reads, sealing),
  };
}

export type EmbeddedStores = ReturnType<typeof createStores>;
