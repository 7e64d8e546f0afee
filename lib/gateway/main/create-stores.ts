import type { Write } from "../changes/change";
import type { Database } from "../store/database";
import { readPastCalls } from "../store/read-past-calls";
import { readHeld, readSpent } from "../store/read-spent";
import { createSqliteAlertClaims } from "../store/sqlite-alert-claims";
import { createSqliteAttemptStore } from "../store/sqlite-attempt-store";
import { createSqliteAuditLogReader } from "../store/sqlite-audit-log-reader";
import { createSqliteChangeLog } from "../store/sqlite-change-log";
import {
  createSqliteCredentialStore,
  createSqlitePasswordResetStore,
} from "../store/sqlite-credential-store";
import { createSqliteDeviceStore } from "../store/sqlite-device-store";
import { createSqliteGroupStore } from "../store/sqlite-group-store";
import { createSqliteIdentityStore } from "../store/sqlite-identity-store";
import { createSqliteInviteStore } from "../store/sqlite-invite-store";
import { createSqliteKeptAnswersStore } from "../store/sqlite-kept-answers-store";
import { createSqliteKeptChargesStore } from "../store/sqlite-kept-charges-store";
import { createSqliteKeyStore } from "../store/sqlite-key-store";
import { createSqliteLedgerReader } from "../store/sqlite-ledger-reader";
import { createSqliteMemberAdmission } from "../store/sqlite-member-admission";
import { createSqliteModelPermissionStore } from "../store/sqlite-model-permission-store";
import { createSqliteModelStore } from "../store/sqlite-model-store";
import { createSqliteOrganizationStore } from "../store/sqlite-organization-store";
import { createSqliteProjectStore } from "../store/sqlite-project-store";
import { createSqliteProviderStore } from "../store/sqlite-provider-store";
import { createSqliteRateLimitStore } from "../store/sqlite-rate-limit-store";
import { createSqliteRequestLogReader } from "../store/sqlite-request-log-reader";
import { createSqliteRoleStore } from "../store/sqlite-role-store";
import { createSqliteServiceAccountStore } from "../store/sqlite-service-account-store";
import { createSqliteSessionStore } from "../store/sqlite-session-store";
import { createSqliteSpendAlertFiringReader } from "../store/sqlite-spend-alert-firing-reader";
import { createSqliteSpendAlertStore } from "../store/sqlite-spend-alert-store";
import { createSqliteSpendLimitStore } from "../store/sqlite-spend-limit-store";
import { createSqliteSpentProofStore } from "../store/sqlite-spent-proof-store";
import { createSqliteUsageReader } from "../store/sqlite-usage-reader";
import { createSqliteUserStore } from "../store/sqlite-user-store";

/**
 * The stores of the embedded database. Each reads on a connection of its own, and writes in the transaction that it is handed.
 */
export function createStores(
  reads: Database,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
) {
  const invites = createSqliteInviteStore(reads);
  const users = createSqliteUserStore(reads);
  return {
    changeLog: createSqliteChangeLog(reads),
    ledger: createSqliteLedgerReader(reads),
    /** What a start counts again, so that limits hold over restarts. */
    past: {
      calls: (nowMs: number, withinMs: number) => readPastCalls(reads, nowMs, withinMs),
      spent: (sinceMs: number) => readSpent(reads, sinceMs),
      held: () => readHeld(reads),
    },
    requests: createSqliteRequestLogReader(reads),
    usage: createSqliteUsageReader(reads),
    auditLog: createSqliteAuditLogReader(reads),
    organizations: createSqliteOrganizationStore(reads),
    projects: createSqliteProjectStore(reads),
    keys: createSqliteKeyStore(reads),
    keptCharges: createSqliteKeptChargesStore(reads, sealing.key),
    keptAnswers: createSqliteKeptAnswersStore(reads, sealing),
    serviceAccounts: createSqliteServiceAccountStore(reads),
    invites,
    credentialStore: createSqliteCredentialStore(reads),
    spentProofs: createSqliteSpentProofStore(reads),
    signInAttempts: createSqliteAttemptStore(),
    devices: createSqliteDeviceStore(reads),
    identities: createSqliteIdentityStore(reads),
    passwordResets: createSqlitePasswordResetStore(reads),
    spendAlerts: createSqliteSpendAlertStore(reads),
    firings: createSqliteSpendAlertFiringReader(reads),
    /** For the process `owner`. */
    alertClaims: (write: Write, owner: string) => createSqliteAlertClaims(reads, write, owner),
    spendLimits: createSqliteSpendLimitStore(reads),
    sessions: createSqliteSessionStore(reads),
    roles: createSqliteRoleStore(reads),
    users,
    memberAdmission: createSqliteMemberAdmission({ invites, users }),
    groups: createSqliteGroupStore(reads),
    rateLimits: createSqliteRateLimitStore(reads),
    modelPermissions: createSqliteModelPermissionStore(reads),
    models: createSqliteModelStore(reads),
    providers: createSqliteProviderStore(reads, sealing),
  };
}

export type EmbeddedStores = ReturnType<typeof createStores>;
