import type { auditEvents, otherEvents, ownEventTypes } from "@/lib/contract/access/audit-events";

type EventType =
  | (typeof auditEvents)[keyof typeof auditEvents]
  | (typeof ownEventTypes)[number]
  | typeof otherEvents.auditCut
  | typeof otherEvents.failedSignIn
  | typeof otherEvents.organizationCreated
  | typeof otherEvents.systemChanged;

/** Verb phrases by event type. The object's name follows them. */
const words: Record<EventType, string> = {
  "access_request.created": "Asked for more:",
  "access_request.approved": "Approved a request for",
  "access_request.declined": "Declined a request for",
  "access_request.ended": "Took back what was given for a time:",
  "configuration.applied": "Applied a configuration:",
  "configuration.undone": "Undid a configuration:",
  "receipt_link.created": "Made a link to the receipt of",
  "receipt_link.revoked": "Revoked a link to the receipt of",
  "rate_limit.updated": "Changed rate limits",
  "rate_limit_default.updated": "Changed default rate limits",
  "rate_limits.changed": "Changed many rate limits:",
  "rate_limits.undone": "Took back a change of many rate limits:",
  "model_permissions.updated": "Changed allowed models",
  "model_permissions.deleted": "Allowed all models",
  "body_settings.updated": "Changed how prompts and answers are stored",
  "request_body.read": "Read prompt and answer",
  "model.created": "Added model",
  "model.imported": "Imported models",
  "model.updated": "Changed model",
  "model_routes.updated": "Changed routes",
  "scheduled_price.created": "Scheduled a price of",
  "scheduled_price.deleted": "Deleted a scheduled price of",
  "scheduled_price.applied": "Applied the scheduled price of",
  "provider.circuit.closed": "Closed circuit breaker",
  "provider.created": "Added provider",
  "provider.deleted": "Deleted provider",
  "provider.updated": "Changed provider",
  "project.created": "Created project",
  "project.updated": "Renamed project",
  "project.archived": "Archived project",
  "api_key.created": "Created key",
  "api_key.updated": "Changed key",
  "api_key.deleted": "Deleted key",
  "api_key.run_as": "Sent a call as key",
  "service_account.created": "Created service account",
  "service_account.updated": "Changed service account",
  "service_account.deleted": "Deleted service account",
  "role.created": "Created role",
  "role.updated": "Changed role",
  "role.deleted": "Deleted role",
  "role.viewed": "Viewed the console as role",
  "role.assignment.created": "Gave a role",
  "role.assignment.deleted": "Removed a role",
  "user.added": "Added member to a project",
  "user.updated": "Changed member",
  "user.deleted": "Removed member",
  "users.changed": "Changed members",
  "group.created": "Created group",
  "group.updated": "Renamed group",
  "group.deleted": "Deleted group",
  "group.user.added": "Added to group",
  "group.user.removed": "Removed from group",
  "invite.sent": "Invited",
  "invite.accepted": "Accepted an invitation",
  "invite.deleted": "Withdrew an invitation",
  "payment.created": "Recorded payment",
  "payment.requested": "Recorded payment, waiting for approval",
  "payment.approved": "Approved payment",
  "payment.declined": "Declined payment",
  "correction.created": "Corrected entry",
  "correction.requested": "Recorded correction, waiting for approval",
  "correction.approved": "Approved correction",
  "correction.declined": "Declined correction",
  "payment_approval.requested": "Asked to change which payments need approval",
  "payment_approval.declined": "Declined to change which payments need approval",
  "payment_approval.updated": "Changed which payments need approval",
  "callback_secret.rotated": "Replaced the callback secret of a project",
  "task.cancel_requested": "Requested cancellation of task",
  "task.callback.resent": "Resent callback of task",
  "batch.created": "Created batch",
  "batch.cancel_requested": "Requested cancellation of batch",
  "file.deleted": "Deleted file",
  "video.deleted": "Deleted video",
  "response.deleted": "Deleted kept response",
  "statement.closed": "Closed month",
  "spend_limit.updated": "Changed spend limit",
  "spend_limit.deleted": "Removed spend limit",
  "spend_alert.created": "Created spend alert",
  "spend_alert.updated": "Changed spend alert",
  "spend_alert.deleted": "Deleted spend alert",
  "spend_alert.fired": "Fired spend alert",
  "login.succeeded": "Signed in",
  "login.failed": "Failed to sign in",
  "logout.succeeded": "Signed out",
  "user.sessions.ended": "Ended sessions",
  "user.password_reset.created": "Made a password link",
  "user.password.updated": "Set a password",
  "user.two_factor.drafted": "Began two-factor sign-in",
  "user.two_factor.enabled": "Turned on two-factor sign-in",
  "user.two_factor.deleted": "Turned off two-factor sign-in",
  "user.single_sign_on.linked": "Linked single sign-on",
  "user.single_sign_on.unlinked": "Unlinked single sign-on",
  "organization.created": "Set up the organization",
  "organization.updated": "Changed the organization",
  "audit_log.cut": "Deleted the oldest events",
};

/** Falls back to the gateway's name for types that this console doesn't know. */
export function describeType(type: string): string {
  return (words as Readonly<Record<string, string>>)[type] ?? type;
}

/** Options for a filter by type, sorted by label. */
export const typeChoices = Object.entries(words)
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));
