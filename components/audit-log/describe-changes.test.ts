import { expect, test } from "bun:test";
import { type AuditChange, describeChanges } from "./describe-changes";

const change = (object: string, fields: Partial<AuditChange>): AuditChange => ({
  object,
  id: "one",
  name: null,
  subject_id: null,
  subject_name: null,
  project_id: null,
  before: null,
  after: null,
  default_before: null,
  ...fields,
});

test("only changed fields are described, by their labels in the forms", () => {
  const before = { max_requests_per_1_minute: 600, max_images_per_1_minute: 5, updated_at_ms: 1 };
  const after = { max_requests_per_1_minute: 1_000_000, max_images_per_1_minute: null, updated_at_ms: 2 };
  const told = [
    { label: "Requests per minute", before: "600", after: "1,000,000" },
    { label: "Images per minute", before: "5", after: "no limit" },
  ];
  expect(describeChanges([change("rate_limits", { before, after })])).toEqual(told);
  expect(describeChanges([change("rate_limits", { default_before: before, after })])).toEqual(told);
  expect(describeChanges([change("rate_limits", { before, default_after: after })])).toEqual(told);
});

test("a role in another's place is one change, and each project's is its own", () => {
  const role = (id: string, name: string, fields: Partial<AuditChange>) =>
    change("role_assignments", { id, name, subject_id: "user_1", ...fields });
  const row = { user_id: "user_1" };
  expect(
    describeChanges([
      role("role_reader", "Reader", { before: row }),
      role("role_finance", "Finance", { after: row }),
      role("role_1", "Local", { after: row, project_id: "proj_1" }),
    ]),
  ).toEqual([
    { label: "Role", before: "Reader", after: "Finance" },
    { label: "Role", before: null, after: "Local" },
  ]);
});

test("every role that another takes the place of is told", () => {
  const role = (name: string, fields: Partial<AuditChange>) =>
    change("role_assignments", { id: `role_${name}`, name, subject_id: "user_1", ...fields });
  const row = { user_id: "user_1" };
  const changes = [
    role("Reader", { before: row }),
    role("Finance", { before: row }),
    role("Admin", { after: row }),
  ];
  expect(describeChanges(changes)).toEqual([
    { label: "Roles", added: ["Admin"], removed: ["Reader", "Finance"] },
  ]);
});

test("describes additions and removals of a list, and omits secrets, ids and timestamps", () => {
  const before = { id: "one", permissions: '["a","b"]', description: null, created_at_ms: 1 };
  const after = { id: "one", permissions: '["b","c"]', description: "New", created_at_ms: 1 };
  expect(describeChanges([change("roles", { before, after })])).toEqual([
    { label: "Permissions", added: ["c"], removed: ["a"] },
    { label: "Description", before: "none", after: "New" },
  ]);
  const provider = { id: "one", kind: "openai", sealed_api_key: "***", created_at_ms: 1 };
  expect(describeChanges([change("providers", { after: provider })])).toEqual([
    { label: "Kind", before: null, after: "openai" },
    { label: "First API key", before: null, after: "hidden" },
  ]);
});

test("money, times and unnamed columns are described in readable form", () => {
  expect(
    describeChanges([
      change("spend_limits", { before: { amount: "5000000000000" } }),
      change("spend_alerts", { before: { threshold_cents: 100 }, after: { threshold_cents: 250 } }),
      change("project_api_keys", {
        before: { expires_at_ms: null, scope_list: "x" },
        after: { expires_at_ms: 1_800_000_000_000, scope_list: "y" },
      }),
    ]),
  ).toEqual([
    { label: "Limit per month", before: "5000.00", after: null },
    { label: "Alert at", before: "1.00", after: "2.50" },
    { label: "Expires", before: "never", after: { at: 1_800_000_000 } },
    { label: "Scope list", before: "x", after: "y" },
  ]);
});

test("a payment above the approval threshold is described in money, and its requester and approver not by kind", () => {
  const waiting = { id: "pay_1", amount: "250000000000", reference: "Invoice 7", maker_kind: "user" };
  expect(
    describeChanges([
      change("payment_approval", { after: { one: 1, above: "100000000000", updated_at_ms: 1 } }),
      change("payment_approval", {
        before: { one: 1, above: "100000000000" },
        after: { one: 1, above: null },
      }),
      change("pending_payments", { after: { ...waiting, decider_kind: null, reason: null } }),
      change("pending_payments", {
        before: { ...waiting, decider_kind: null, reason: null },
        after: { ...waiting, decider_kind: "user", reason: "Paid twice" },
      }),
    ]),
  ).toEqual([
    { label: "Approval above", before: null, after: "100.00" },
    { label: "Approval above", before: "100.00", after: "no approval" },
    { label: "Amount", before: null, after: "250.00" },
    { label: "Reference", before: null, after: "Invoice 7" },
    { label: "Reason", before: "none", after: "Paid twice" },
  ]);
});

test("the price of an image, a second or a megapixel is described with its unit and its qualities", () => {
  const before = { unit_price: '{"unit":"image","amount":"0.04"}' };
  const after = { unit_price: '{"unit":"image","amount":"0.05","qualities":{"hd":"0.08"}}' };
  expect(describeChanges([change("model_prices", { before, after })])).toEqual([
    { label: "List price", before: "0.04 per image", after: "0.05 per image, hd 0.08" },
  ]);
  const first = { rate: "0.50", input_per_1m: "0", output_per_1m: "0", ...before };
  expect(describeChanges([change("model_prices", { after: first })])).toEqual([
    { label: "Model rate", before: null, after: "0.50" },
    { label: "List price", before: null, after: "0.04 per image" },
  ]);
});
