import { createAttemptStore } from "../store/attempt-store";
import { createAuditLogReader } from "../store/audit-log-reader";
import { createChangeLog } from "../store/change-log";
import { createCredentialStore, createPasswordResetStore } from "../store/credential-store";
import type { Database } from "../store/database";
import { createDeviceStore } from "../store/device-store";
import { createGroupStore } from "../store/group-store";
import { createIdentityStore } from "../store/identity-store";
import { createInviteStore } from "../store/invite-store";
import { createKeptAnswersStore } from "../store/kept-answers-store";
import { createKeptCallsStore } from "../store/kept-calls-store";
import { createKeyStore } from "../store/key-store";
import { createLedgerReader } from "../store/ledger-reader";
import { createMemberAdmission } from "../store/member-admission";
import { createModelPermissionStore } from "../store/model-permission-store";
import { createModelStore } from "../store/model-store";
import { createProjectStore } from "../store/project-store";
import { createProviderStore } from "../store/provider-store";
import { createRateLimitStore } from "../store/rate-limit-store";
import { createRequestLogReader } from "../store/request-log-reader";
import { createRoleStore } from "../store/role-store";
import { createServiceAccountStore } from "../store/service-account-store";
import { createSessionStore } from "../store/session-store";
import { createSpendAlertFiringReader } from "../store/spend-alert-firing-reader";
import { createSpendAlertStore } from "../store/spend-alert-store";
import { createSpendLimitStore } from "../store/spend-limit-store";
import { createSpentProofStore } from "../store/spent-proof-store";
import { createUsageReader } from "../store/usage-reader";
import { createUserStore } from "../store/user-store";

/** What speaks to the database: what reads does so beside the one that writes. */
export function createStores(
  database: Database,
  reads: Database,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
) {
  return {
    changeLog: createChangeLog(reads),
    ledger: createLedgerReader(reads),
    requests: createRequestLogReader(reads),
    usage: createUsageReader(reads),
    auditLog: createAuditLogReader(reads),
    projects: createProjectStore(database),
    keys: createKeyStore(database),
    keptCalls: createKeptCallsStore(reads, sealing.key),
    keptAnswers: createKeptAnswersStore(database, sealing),
    serviceAccounts: createServiceAccountStore(database),
    invites: createInviteStore(database),
    memberAdmission: createMemberAdmission(database),
    credentialStore: createCredentialStore(database),
    spentProofs: createSpentProofStore(database),
    signInAttempts: createAttemptStore(database),
    devices: createDeviceStore(database),
    identities: createIdentityStore(database),
    passwordResets: createPasswordResetStore(database),
    spendAlerts: createSpendAlertStore(database),
    firings: createSpendAlertFiringReader(reads),
    spendLimits: createSpendLimitStore(database),
    sessions: createSessionStore(database),
    roles: createRoleStore(database),
    users: createUserStore(database),
    groups: createGroupStore(database),
    rateLimits: createRateLimitStore(reads),
    modelPermissions: createModelPermissionStore(database),
    models: createModelStore(database),
    providers: createProviderStore(database, sealing),
  };
}
