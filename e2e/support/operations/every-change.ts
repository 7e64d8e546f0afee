import type { auditEvents } from "@/lib/contract/access/audit-events";
import { HOUR_S } from "@/lib/contract/durations";
import type { serveStaffedGateway } from "../gateways/serve-staffed-gateway";

export type Body = Record<string, unknown>;
/** Ids of existing objects and of those that steps create, by their names in paths. */
export type CreatedIds = Record<string, string>;

/** A provider's key, which must not appear in any output. */
export const PROVIDER_KEY = `sk-canary${"p".repeat(30)}`;

const alert = (cents: number) => ({
  currency: "USD",
  interval: "month",
  threshold_amount: cents,
  notification_channel: { type: "email", recipients: ["finance@example.com"] },
});
const limit = { currency: "USD", interval: "month", threshold_amount: 500_000 };
const permissions = ["api.models.read"];
const routes = [{ provider: "canary", model: "m" }];
const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
/** Unix seconds of the year 2100. */
const FAR_FUTURE = 4_102_444_800;

/** An operation that makes a change, with its body and the name for the object it creates. */
export interface Step {
  readonly id: keyof typeof auditEvents;
  readonly body?: (made: CreatedIds) => Body;
  readonly keeps?: string;
  /** The name of a stored credential to use instead of the admin key. */
  readonly as?: string;
}

/** Changes that users prove with credentials of their own; the test of sign-in checks their events. */
export const ownProofs: readonly Step["id"][] = [
  "signIn",
  "answerSignInChallenge",
  "finishSingleSignOn",
  "acceptInvite",
  "requestPasswordReset",
  "usePasswordReset",
  "changePassword",
  "startTwoFactor",
  "confirmTwoFactor",
  "endTwoFactor",
  "deleteUserTwoFactor",
  "finishSingleSignOnLink",
  "endSingleSignOn",
  "deleteUserSingleSignOn",
  "deleteUserSession",
];

/**
 * Changes that other tests make, since they need a second member (pending payments), a closed month (statements), a
 * plan, a task, a batch or a file, or end with an event of their own (proofs).
 */
export const testedElsewhere: readonly Step["id"][] = [
  ...ownProofs,
  "approvePendingPayment",
  "approveRateLimitDraft",
  "proveRateLimit",
  "applyConfiguration",
  "undoConfiguration",
  "approveAccessRequest",
  "createAccessRequest",
  "declineAccessRequest",
  "createReceiptLink",
  "revokeReceiptLink",
  "closeStatement",
  "cancelTask",
  "cancelOwnTask",
  "sendTaskCallback",
  "createBatch",
  "cancelBatch",
  "deleteFile",
  "deleteVideo",
  "cancelResponse",
  "deleteResponse",
];

/** Creates the objects that the steps need, including a payment that waits for approval. */
export async function makeFirst(
  staffed: Awaited<ReturnType<typeof serveStaffedGateway>>,
): Promise<CreatedIds> {
  const { gateway, projectId, groupId, members } = staffed;
  await gateway.admin("POST", "/organization/payment_approval", { above: "900.00" });
  const payment = { amount: "925.00", reference: "Waits" };
  const waiting = await gateway.admin<{ id: string }>("POST", "/organization/payments", payment);
  return {
    project_id: projectId,
    group_id: groupId,
    user_id: members.ada.id,
    admin_key: gateway.adminKey,
    rate_limit_id: "rl_sandbox-echo",
    default_id: "organization",
    provider_id: "canary",
    model_id: "canary-model",
    pending_payment_id: waiting.id,
  };
}

/** All other changes, in an order in which each one is possible. */
export const everyChange: readonly Step[] = [
  { id: "createSession", body: (made) => ({ key: made.admin_key }), keeps: "session_id" },
  { id: "deleteSession", as: "session_id_token" },
  { id: "createSession", body: (made) => ({ key: made.admin_key }), keeps: "session_id" },
  { id: "deleteCurrentSession", as: "session_id_token" },
  { id: "createProject", body: () => ({ name: "Audited" }), keeps: "project_id" },
  { id: "changeProject", body: () => ({ name: "Renamed" }) },
  { id: "changeOrganization", body: () => ({ name: "Acme Robotics" }) },
  { id: "saveRateLimit", body: () => ({ max_requests_per_1_minute: 77 }) },
  {
    id: "createRateLimitChanges",
    body: ({ project_id }) => ({
      changes: [{ project_id, model: "sandbox-echo", max_requests_per_1_minute: 78 }],
    }),
    keeps: "changes_id",
  },
  { id: "undoRateLimitChanges" },
  { id: "saveRateLimitApproval", body: () => ({ above: { max_tokens_per_1_minute: 5_000_000 } }) },
  {
    id: "createRateLimitDraft",
    body: ({ project_id }) => ({
      changes: [{ project_id, model: "sandbox-echo", max_tokens_per_1_minute: 6_000_000 }],
    }),
    keeps: "draft_id",
  },
  { id: "declineRateLimitDraft", body: () => ({ reason: "Not now" }) },
  { id: "createRateLimitPlan", body: () => ({ name: "Trial" }), keeps: "plan_id" },
  { id: "changeRateLimitPlan", body: () => ({ name: "Production" }) },
  { id: "changeRateLimitPlanProjects", body: ({ project_id }) => ({ add: [project_id] }) },
  { id: "changeRateLimitPlanProjects", body: ({ project_id }) => ({ remove: [project_id] }) },
  { id: "deleteRateLimitPlan" },
  { id: "saveRateLimitDefault", body: () => ({ max_requests_per_1_day: 5_000_000 }) },
  { id: "saveBodySettings", body: () => ({ mode: "metadata", retention_days: 7, redactions: ["canary"] }) },
  { id: "rotateCallbackSecret", body: () => ({ replaces: 1 }) },
  { id: "saveModelPermissions", body: () => ({ mode: "allow_list", model_ids: ["sandbox-echo"] }) },
  { id: "deleteModelPermissions" },
  { id: "createProjectApiKey", body: () => ({ name: "Key" }), keeps: "key_id" },
  { id: "changeProjectApiKey", body: () => ({ name: "Renamed", expires_in_seconds: HOUR_S }) },
  {
    id: "changeProjectApiKeys",
    body: ({ key_id }) => ({ key_ids: [key_id], action: { type: "expire", expires_in_seconds: HOUR_S } }),
  },
  { id: "rotateProjectApiKey", body: () => ({ overlap_seconds: HOUR_S }) },
  { id: "deleteProjectApiKey" },
  { id: "createServiceAccount", body: () => ({ name: "Robot" }), keeps: "service_account_id" },
  { id: "changeServiceAccount", body: () => ({ role: "owner" }) },
  { id: "createServiceAccountKey", body: () => ({}) },
  { id: "deleteServiceAccount" },
  { id: "createAdminApiKey", body: () => ({ name: "Second" }), keeps: "key_id" },
  { id: "deleteAdminApiKey" },
  { id: "createInvite", body: () => ({ email: "new@example.com", role: "reader" }), keeps: "invite_id" },
  { id: "deleteInvite" },
  { id: "createRole", body: () => ({ role_name: "Auditors", permissions }), keeps: "role_id" },
  { id: "changeRole", body: () => ({ permissions: ["api.audit_logs.read"] }) },
  { id: "viewAsRole", body: (made) => ({ role_id: made.role_id }) },
  {
    id: "changeUsers",
    body: (made) => ({ user_ids: [made.user_id], action: { type: "set_role", role_id: "reader" } }),
  },
  { id: "assignUserRole", body: (made) => ({ role_id: made.role_id }) },
  { id: "unassignUserRole" },
  { id: "assignGroupRole", body: (made) => ({ role_id: made.role_id }) },
  { id: "unassignGroupRole" },
  { id: "deleteRole" },
  { id: "createProjectRole", body: () => ({ role_name: "Local", permissions }), keeps: "role_id" },
  { id: "changeProjectRole", body: () => ({ role_name: "Locals" }) },
  { id: "assignProjectUserRole", body: (made) => ({ role_id: made.role_id }) },
  { id: "unassignProjectUserRole" },
  { id: "assignProjectGroupRole", body: (made) => ({ role_id: made.role_id }) },
  { id: "unassignProjectGroupRole" },
  { id: "deleteProjectRole" },
  { id: "addProjectUser", body: (made) => ({ user_id: made.user_id, role: "member" }) },
  { id: "changeProjectUser", body: () => ({ role: "owner" }) },
  { id: "removeProjectUser" },
  { id: "addProjectGroup", body: (made) => ({ group_id: made.group_id, role: "member" }) },
  { id: "removeProjectGroup" },
  { id: "saveProjectSpendLimit", body: () => limit },
  { id: "deleteProjectSpendLimit" },
  { id: "createProjectSpendAlert", body: () => alert(100), keeps: "alert_id" },
  { id: "changeProjectSpendAlert", body: () => alert(200) },
  { id: "deleteProjectSpendAlert" },
  { id: "archiveProject" },
  { id: "createGroup", body: () => ({ name: "Group" }), keeps: "group_id" },
  { id: "changeGroup", body: () => ({ name: "Groups" }) },
  { id: "addGroupUser", body: (made) => ({ user_id: made.user_id }) },
  { id: "removeGroupUser" },
  { id: "deleteGroup" },
  { id: "createPasswordReset", body: () => ({}) },
  { id: "changeUser", body: () => ({ role: "reader" }) },
  { id: "deleteUser" },
  { id: "createPayment", body: () => ({ amount: "25.00", reference: "Invoice 7" }), keeps: "entry_id" },
  { id: "importPayments", body: () => ({ payments: [{ amount: "5.00", reference: "Invoice 8" }] }) },
  { id: "createCorrection", body: () => ({ amount: "0.50", reason: "Recorded twice" }) },
  { id: "savePaymentApproval", body: () => ({ above: "800.00" }) },
  { id: "declinePendingPayment", body: () => ({ reason: "Not on the statement" }) },
  { id: "saveSpendLimit", body: () => limit },
  { id: "deleteSpendLimit" },
  { id: "createSpendAlert", body: () => alert(100), keeps: "alert_id" },
  { id: "changeSpendAlert", body: () => alert(300) },
  { id: "deleteSpendAlert" },
  {
    id: "createProvider",
    body: () => ({ id: "canary", kind: "openai", base_url: "http://127.0.0.1:9/v1", api_key: PROVIDER_KEY }),
    keeps: "provider_id",
  },
  {
    id: "changeProvider",
    body: () => ({
      timeouts: { idle_seconds: 120 },
      api_keys: [{ id: "key_1" }, { key: `${PROVIDER_KEY}-2` }],
    }),
  },
  {
    id: "createOrganizationModel",
    body: () => ({ id: "canary-model", family: "chat", rate: "1", price, routes }),
  },
  {
    id: "importModels",
    body: () => ({
      provider_id: "canary",
      rate: "1",
      models: [{ model: "n", id: "canary-imported", family: "chat", price }],
    }),
  },
  {
    id: "changePrices",
    body: () => ({
      models: [{ id: "canary-imported", price, new_price: { ...price, input_per_1m: "1.10" } }],
    }),
  },
  { id: "closeCircuit", body: () => ({ model: "m" }) },
  { id: "changeOrganizationModel", body: () => ({ rate: "0.5" }) },
  { id: "saveModelRoutes", body: () => ({ routes: [{ ...routes[0], weight: 70 }] }) },
  {
    id: "createScheduledPrice",
    body: () => ({ effective_at: FAR_FUTURE, rate: "0.7" }),
    keeps: "scheduled_price_id",
  },
  { id: "deleteScheduledPrice" },
  {
    id: "createProvider",
    body: () => ({ id: "unused", kind: "openai", base_url: "http://127.0.0.1:9/v1", api_key: PROVIDER_KEY }),
    keeps: "provider_id",
  },
  { id: "deleteProvider" },
];
