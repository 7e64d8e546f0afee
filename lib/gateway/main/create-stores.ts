import { createAttemptStore } from "../store/attempt-store";
import { createChangeLog } from "../store/change-log";
import { createCredentialStore, createPasswordResetStore } from "../store/credential-store";
import type { Database } from "../store/database";
import { createDeviceStore } from "../store/device-store";
import { createIdentityStore } from "../store/identity-store";
import { createKeptAnswersStore } from "../store/kept-answers-store";
import { createKeptCallsStore } from "../store/kept-calls-store";
import { createMemberAdmission } from "../store/member-admission";
import { createSpentProofStore } from "../store/spent-proof-store";
import { createSqliteAuditLogReader } from "../store/sqlite-audit-log-reader";
import { createSqliteGroupStore } from "../store/sqlite-group-store";
import { createSqliteInviteStore } from "../store/sqlite-invite-store";
import { createSqliteKeyStore } from "../store/sqlite-key-store";
import { createSqliteLedgerReader } from "../store/sqlite-ledger-reader";
import { createSqliteModelPermissionStore } from "../store/sqlite-model-permission-store";
import { createSqliteModelStore } from "../store/sqlite-model-store";
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
import { createSqliteUsageReader } from "../store/sqlite-usage-reader";
import { createSqliteUserStore } from "../store/sqlite-user-store";

/** The connections to the database: one writes, the other reads beside it. */
export function createStores(
  database: Database,
  reads: Database,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
) {
  return {
    changeLog: createChangeLog(reads),
    ledger: createSqliteLedgerReader(reads),
    requests: createSqliteRequestLogReader(reads),
    usage: createSqliteUsageReader(reads),
    auditLog: createSqliteAuditLogReader(reads),
    projects: createSqliteProjectStore(database),
    keys: createSqliteKeyStore(database),
    keptCalls: createKeptCallsStore(reads, sealing.key),
    keptAnswers: createKeptAnswersStore(database, sealing),
    serviceAccounts: createSqliteServiceAccountStore(database),
    invites: createSqliteInviteStore(database),
    memberAdmission: createMemberAdmission(database),
    credentialStore: createCredentialStore(database),
    spentProofs: createSpentProofStore(database),
    signInAttempts: createAttemptStore(database),
    devices: createDeviceStore(database),
    identities: createIdentityStore(database),
    passwordResets: createPasswordResetStore(database),
    spendAlerts: createSqliteSpendAlertStore(database),
    firings: createSqliteSpendAlertFiringReader(reads),
    spendLimits: createSqliteSpendLimitStore(database),
    sessions: createSqliteSessionStore(database),
    roles: createSqliteRoleStore(database),
    users: createSqliteUserStore(database),
    groups: createSqliteGroupStore(database),
    rateLimits: createSqliteRateLimitStore(reads),
    modelPermissions: createSqliteModelPermissionStore(database),
    models: createSqliteModelStore(database),
    providers: createSqliteProviderStore(database, sealing),
  };
}
