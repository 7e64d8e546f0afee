import type { OperationId } from "./operation-table";

/** An identity at the OpenID provider was linked to a member, by the member or at their first single sign-on. */
export const SINGLE_SIGN_ON_LINKED = "user.single_sign_on.linked";

/**
 * The audit event type of each changing operation: OpenAI's if it declares one (API reference, Audit logs), otherwise
 * one of `ownEventTypes`. OpenAI's types for members apply to the organization, or to the project that the event names.
 * Operations without an entry are logged as `organization.updated`.
 */
export const auditEvents = {
  createProject: "project.created",
  changeProject: "project.updated",
  archiveProject: "project.archived",
  saveRateLimit: "rate_limit.updated",
  saveBodySettings: "body_settings.updated",
  saveModelPermissions: "model_permissions.updated",
  deleteModelPermissions: "model_permissions.deleted",
  createProjectApiKey: "api_key.created",
  changeProjectApiKey: "api_key.updated",
  rotateProjectApiKey: "api_key.created",
  deleteProjectApiKey: "api_key.deleted",
  createServiceAccountKey: "api_key.created",
  createAdminApiKey: "api_key.created",
  deleteAdminApiKey: "api_key.deleted",
  createServiceAccount: "service_account.created",
  changeServiceAccount: "service_account.updated",
  deleteServiceAccount: "service_account.deleted",
  createInvite: "invite.sent",
  deleteInvite: "invite.deleted",
  createRole: "role.created",
  changeRole: "role.updated",
  deleteRole: "role.deleted",
  createProjectRole: "role.created",
  changeProjectRole: "role.updated",
  deleteProjectRole: "role.deleted",
  assignUserRole: "role.assignment.created",
  unassignUserRole: "role.assignment.deleted",
  assignGroupRole: "role.assignment.created",
  unassignGroupRole: "role.assignment.deleted",
  assignProjectUserRole: "role.assignment.created",
  unassignProjectUserRole: "role.assignment.deleted",
  assignProjectGroupRole: "role.assignment.created",
  unassignProjectGroupRole: "role.assignment.deleted",
  changeUser: "user.updated",
  deleteUser: "user.deleted",
  createGroup: "group.created",
  changeGroup: "group.updated",
  deleteGroup: "group.deleted",
  addGroupUser: "group.user.added",
  removeGroupUser: "group.user.removed",
  addProjectUser: "user.added",
  changeProjectUser: "user.updated",
  removeProjectUser: "user.deleted",
  addProjectGroup: "role.assignment.created",
  removeProjectGroup: "role.assignment.deleted",
  createPayment: "payment.created",
  importPayments: "payment.created",
  createCorrection: "correction.created",
  approvePendingPayment: "payment.approved",
  declinePendingPayment: "payment.declined",
  savePaymentApproval: "payment_approval.updated",
  closeStatement: "statement.closed",
  rotateCallbackSecret: "callback_secret.rotated",
  sendTaskCallback: "task.callback.resent",
  cancelTask: "task.cancel_requested",
  cancelOwnTask: "task.cancel_requested",
  createBatch: "batch.created",
  cancelBatch: "batch.cancel_requested",
  deleteFile: "file.deleted",
  deleteVideo: "video.deleted",
  saveSpendLimit: "spend_limit.updated",
  deleteSpendLimit: "spend_limit.deleted",
  saveProjectSpendLimit: "spend_limit.updated",
  deleteProjectSpendLimit: "spend_limit.deleted",
  createSpendAlert: "spend_alert.created",
  changeSpendAlert: "spend_alert.updated",
  deleteSpendAlert: "spend_alert.deleted",
  createProjectSpendAlert: "spend_alert.created",
  changeProjectSpendAlert: "spend_alert.updated",
  deleteProjectSpendAlert: "spend_alert.deleted",
  createOrganizationModel: "model.created",
  changeOrganizationModel: "model.updated",
  createScheduledPrice: "scheduled_price.created",
  deleteScheduledPrice: "scheduled_price.deleted",
  createProvider: "provider.created",
  deleteProvider: "provider.deleted",
  closeCircuit: "provider.circuit.closed",
  createSession: "login.succeeded",
  deleteCurrentSession: "logout.succeeded",
  deleteSession: "logout.succeeded",
  deleteUserSession: "user.sessions.ended",
  signIn: "login.succeeded",
  answerSignInChallenge: "login.succeeded",
  finishSingleSignOn: "login.succeeded",
  acceptInvite: "invite.accepted",
  requestPasswordReset: "user.password_reset.created",
  createPasswordReset: "user.password_reset.created",
  usePasswordReset: "user.password.updated",
  changePassword: "user.password.updated",
  startTwoFactor: "user.two_factor.drafted",
  confirmTwoFactor: "user.two_factor.enabled",
  endTwoFactor: "user.two_factor.deleted",
  deleteUserTwoFactor: "user.two_factor.deleted",
  finishSingleSignOnLink: SINGLE_SIGN_ON_LINKED,
  endSingleSignOn: "user.single_sign_on.unlinked",
  deleteUserSingleSignOn: "user.single_sign_on.unlinked",
} as const satisfies Partial<Record<OperationId, string>>;

/** Event types that OpenAI doesn't declare. */
export const ownEventTypes = [
  "api_key.run_as",
  "audit_log.cut",
  "batch.cancel_requested",
  "batch.created",
  "body_settings.updated",
  "callback_secret.rotated",
  "correction.approved",
  "correction.created",
  "correction.declined",
  "correction.requested",
  "file.deleted",
  "group.user.added",
  "group.user.removed",
  "model.created",
  "model.updated",
  "model_permissions.deleted",
  "model_permissions.updated",
  "organization.created",
  "payment.approved",
  "payment.created",
  "payment.declined",
  "payment.requested",
  "payment_approval.updated",
  "provider.circuit.closed",
  "provider.created",
  "provider.deleted",
  "request_body.read",
  "scheduled_price.applied",
  "scheduled_price.created",
  "scheduled_price.deleted",
  "spend_alert.created",
  "spend_alert.deleted",
  "spend_alert.fired",
  "spend_alert.updated",
  "spend_limit.deleted",
  "spend_limit.updated",
  "statement.closed",
  "task.callback.resent",
  "task.cancel_requested",
  "user.password.updated",
  "user.password_reset.created",
  "user.sessions.ended",
  "user.single_sign_on.linked",
  "user.single_sign_on.unlinked",
  "user.two_factor.deleted",
  "user.two_factor.drafted",
  "user.two_factor.enabled",
  "video.deleted",
] as const;

/** A sign-in with a member's address failed because of its password or its code. */
export const FAILED_SIGN_IN = "login.failed";
/** The month's charges reached an alert's threshold. */
export const SPEND_ALERT_FIRED = "spend_alert.fired";
/** A scheduled change of a model's prices took effect. */
export const SCHEDULED_PRICE_APPLIED = "scheduled_price.applied";
/** Somebody made a call as a key. */
export const API_KEY_RUN_AS = "api_key.run_as";
/** Somebody read the request and the answer of a call. */
export const REQUEST_BODY_READ = "request_body.read";
/** A payment that needs a second person's approval was recorded. */
export const PAYMENT_REQUESTED = "payment.requested";
/** A correction that needs a second person's approval was recorded; then it was approved or declined. */
export const CORRECTION_REQUESTED = "correction.requested";
export const CORRECTION_APPROVED = "correction.approved";
export const CORRECTION_DECLINED = "correction.declined";
/** A change that the gateway made by itself. */
export const SYSTEM_CHANGE = "organization.updated";
/**
 * Expired events were deleted. This event holds their number, the last one's hash, and their data about objects that
 * still exist.
 */
export const AUDIT_CUT = "audit_log.cut";
/** The first start created the organization, its first project, its first key and its opening balance. */
export const FIRST_CHANGE = "organization.created";

/** Operations that are not reads and don't change anything that an administrator set. */
export const unaudited: readonly OperationId[] = [
  "createChatCompletion",
  "createMessage",
  "uploadFile",
  "previewBatch",
  "createEmbedding",
  "createModeration",
  "createSpeech",
  "createTranscription",
  "createTranslation",
  "createImage",
  "createImageEdit",
  "createVideo",
  "countMessageTokens",
  "previewChatCompletion",
  "saveConversation",
  "deleteConversation",
  "cancelConversationAnswer",
  "createPrompt",
  "changePrompt",
  "deletePrompt",
  "createPromptVersion",
  "createPromptRun",
  "savePromptResults",
  "previewPaymentImport",
  "previewRole",
  "previewProjectRole",
  "previewInvite",
  "startSingleSignOn",
  "startSingleSignOnLink",
  "sendSpendAlertFiring",
  "findApiKey",
  "testProvider",
  "sendTestCallback",
];

export function findAuditEvent(operationId: string): string {
  return Object.hasOwn(auditEvents, operationId)
    ? auditEvents[operationId as keyof typeof auditEvents]
    : SYSTEM_CHANGE;
}
