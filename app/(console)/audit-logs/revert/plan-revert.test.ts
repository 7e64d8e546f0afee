import { expect, test } from "bun:test";
import type { AuditChange } from "@/components/audit-log/describe-changes";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { isSameValue } from "./find-reversal";
import { planRevert } from "./plan-revert";
import type { RevertPlan } from "./revert-plan";

const event = (type: string, change: Partial<AuditChange> & { object: string }): AuditLog => ({
  id: "audit_1",
  type,
  effective_at: 1,
  actor: null,
  request_id: null,
  hash: "",
  changes: [
    {
      id: "one",
      name: null,
      subject_id: null,
      subject_name: null,
      project_id: null,
      before: null,
      after: null,
      default_before: null,
      ...change,
    },
  ],
});
const leftBy = ({ left }: RevertPlan) => (left === null || left === "absent" ? {} : left);
const planned = (auditEvent: AuditLog): RevertPlan => {
  const plan = planRevert(auditEvent);
  if (typeof plan === "string") throw new Error(plan);
  return plan;
};

test("restores only the changed fields of limits", () => {
  const plan = planned(
    event("rate_limit.updated", {
      object: "rate_limits",
      id: "rl_m",
      project_id: "proj_1",
      before: { max_requests_per_1_minute: 600, max_images_per_1_minute: null, updated_at_ms: 1 },
      after: { max_requests_per_1_minute: 3, max_images_per_1_minute: null, updated_at_ms: 2 },
    }),
  );
  expect(plan).toMatchObject({
    operation: "saveRateLimit",
    params: { project_id: "proj_1", rate_limit_id: "rl_m" },
    left: { max_requests_per_1_minute: 3 },
    changes: [{ label: "Requests per minute", before: "3", after: "600" }],
  });
  expect(plan.body?.({})).toEqual({ max_requests_per_1_minute: 600 });
});

test("a price goes back beside the other one as it is now, and what was first saved to its default", () => {
  const plan = planned(
    event("model.updated", {
      object: "model_prices",
      id: "m",
      default_before: { rate: "0.50", input_per_1m: "1.00", output_per_1m: "2.00" },
      after: { model: "m", rate: "0.50", input_per_1m: "3", output_per_1m: "2.00", updated_at_ms: 1 },
    }),
  );
  const now = { rate: "0.50", price: { input_per_1m: "3.00", output_per_1m: "9.00" } };
  expect(plan.body?.(now)).toEqual({ price: { input_per_1m: "1.00", output_per_1m: "9.00" } });
  expect(isSameValue(leftBy(plan).input_per_1m, plan.toColumns(now).input_per_1m)).toBe(true);
});

test("a role that was taken away is given again where it was held, and one that was given is taken", () => {
  const taken = { object: "role_assignments", id: "role_1", subject_id: "group_1", project_id: "proj_1" };
  const row = { user_id: null };
  expect(planned(event("role.assignment.deleted", { ...taken, before: row }))).toMatchObject({
    operation: "assignProjectGroupRole",
    params: { group_id: "group_1", project_id: "proj_1" },
  });
  expect(planned(event("role.assignment.created", { ...taken, after: row }))).toMatchObject({
    operation: "unassignProjectGroupRole",
    params: { group_id: "group_1", project_id: "proj_1", role_id: "role_1" },
    body: undefined,
  });
});

test.each([
  ["payment.created", "ledger"],
  ["payment.approved", "ledger"],
  ["payment.requested", "under Payments"],
  ["payment.declined", "under Payments"],
  ["payment_approval.updated", "under Payments"],
  ["correction.created", "ledger"],
  ["correction.requested", "under Payments"],
  ["callback_secret.rotated", "Replace it again"],
  ["login.succeeded", "sign-in"],
  ["role.deleted", "Create a new one"],
  ["api_key.created", "deleted on their own pages"],
  ["project.archived", "can’t be restored"],
  ["api_key.run_as", "was sent"],
  ["task.cancel_requested", "cancellation can’t be undone"],
  ["batch.cancel_requested", "cancellation can’t be undone"],
  ["batch.created", "Cancel it on its page"],
  ["file.deleted", "files can’t be restored"],
  ["video.deleted", "files can’t be restored"],
  ["task.callback.resent", "callback that was sent"],
  ["spend_alert.fired", "fired"],
  ["provider.circuit.closed", "opens again by itself"],
])("why %s can't be reverted is said in words", (type, words) => {
  expect(planRevert(event(type, { object: "x" }))).toContain(words);
});

const planChange = (type: string, change: Partial<AuditChange> & { object: string }, now: object) => {
  const plan = planned(event(type, change));
  const retrieved = now as Record<string, unknown>;
  const columns = plan.toColumns(retrieved);
  for (const [column, left] of Object.entries(leftBy(plan))) {
    expect([column, isSameValue(left, columns[column])]).toEqual([column, true]);
  }
  return { operation: plan.operation, params: plan.params, body: plan.body?.(retrieved) };
};

test("a spend limit and an alert go back whole, in cents, to whom it is on", () => {
  const month = { currency: "USD", interval: "month" };
  const limit = { object: "spend_limits", before: { amount: "5000000000" }, after: { amount: "7250000000" } };
  const saved = { ...month, threshold_amount: 725 };
  const back = { ...month, threshold_amount: 500 };
  expect(planChange("spend_limit.updated", { ...limit, id: "organization" }, saved)).toEqual({
    operation: "saveSpendLimit",
    params: {},
    body: back,
  });
  const ofProject = { ...limit, id: "proj_1", project_id: "proj_1" };
  expect(planChange("spend_limit.updated", ofProject, saved)).toEqual({
    operation: "saveProjectSpendLimit",
    params: { project_id: "proj_1" },
    body: back,
  });
  const alert = {
    object: "spend_alerts",
    id: "alert_1",
    before: { threshold_cents: 100, recipients: '["a@example.com"]', subject_prefix: null },
    after: { threshold_cents: 100, recipients: '["b@example.com"]', subject_prefix: null },
  };
  const channel = { type: "email", recipients: ["b@example.com"], subject_prefix: null };
  const now = { ...month, threshold_amount: 100, notification_channel: channel };
  expect(planChange("spend_alert.updated", alert, now)).toEqual({
    operation: "changeSpendAlert",
    params: { alert_id: "alert_1" },
    body: { ...now, notification_channel: { ...channel, recipients: ["a@example.com"] } },
  });
});

test("a key's scope and a project's models go back to what they were, no limit too", () => {
  const key = {
    object: "project_api_keys",
    id: "key_1",
    project_id: "proj_1",
    before: { name: "a", models: null, endpoints: '["messages"]' },
    after: { name: "a", models: '["m","n"]', endpoints: null },
  };
  expect(planChange("api_key.updated", key, { name: "a", models: ["n", "m"], endpoints: null }).body).toEqual(
    {
      models: null,
      endpoints: ["messages"],
    },
  );
  const models = {
    object: "model_permissions",
    project_id: "proj_1",
    before: { mode: "allow_list", model_ids: '["m"]' },
    after: { mode: "allow_list", model_ids: '["m","n"]' },
  };
  const permissions = { mode: "allow_list", model_ids: ["m", "n"] };
  expect(planChange("model_permissions.updated", models, permissions)).toEqual({
    operation: "saveModelPermissions",
    params: { project_id: "proj_1" },
    body: { mode: "allow_list", model_ids: ["m"] },
  });
});

test("an event that changed more than can be set back is not reverted in part", () => {
  const key = event("api_key.updated", {
    object: "project_api_keys",
    before: { name: "a", expires_at_ms: null },
    after: { name: "b", expires_at_ms: 5_000 },
  });
  expect(planRevert(key)).toContain("expiry");
});

test("amounts are the same by their worth and lists in any order; other texts are not", () => {
  expect(isSameValue("0.5", "0.50")).toBe(true);
  expect(isSameValue("10", "1")).toBe(false);
  expect(isSameValue("10", "10.00")).toBe(true);
  expect(isSameValue('["b","a"]', '["a","b"]')).toBe(true);
  expect(isSameValue(null, undefined)).toBe(true);
  expect(isSameValue("[draft", "[draft")).toBe(true);
});
