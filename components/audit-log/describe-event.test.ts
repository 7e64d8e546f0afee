import { expect, test } from "bun:test";
import { otherEvents } from "@/lib/contract/access/audit-events";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { describeObject } from "./describe-event";

const event = (object: string, fields: Partial<AuditLog>, row: Record<string, unknown>): AuditLog => ({
  id: "audit_1",
  type: "payment.requested",
  effective_at: 1,
  actor: null,
  request_id: null,
  hash: "",
  changes: [
    {
      object,
      id: "one",
      name: null,
      subject_id: null,
      subject_name: null,
      project_id: null,
      before: null,
      after: row,
      default_before: null,
    },
  ],
  ...fields,
});

test("names an object of which its owner has only one by the owner", () => {
  expect(describeObject(event("payment_approval", {}, { above: "1" }))).toEqual({
    name: "the organization",
    href: null,
  });
  const project = { id: "proj_1", name: "Mobile" };
  expect(describeObject(event("callback_secrets", { project }, { version: 2 }))).toEqual({
    name: "Mobile",
    href: null,
  });
});

test("the first event names nothing besides the organization that it sets up", () => {
  const first = event(
    "admin_api_keys",
    { type: otherEvents.organizationCreated },
    { name: "First admin key" },
  );
  expect(describeObject(first)).toBeNull();
});

test("a payment that waits is named by its reference and leads to the payments", () => {
  const describeReference = (reference: string | null) =>
    describeObject(event("pending_payments", {}, { reference }));
  expect(describeReference("Invoice 7")).toEqual({ name: "Invoice 7", href: "/balance?show=payments" });
  expect(describeReference(null)).toEqual({ name: "one", href: "/balance?show=payments" });
});

test("a limit, a key and a role lead to their own project, which need not be the selected one", () => {
  const inProject = (object: string, id: string) => {
    const described = event(object, {}, { name: "nightly" });
    const changes = described.changes.map((change) => ({ ...change, id, project_id: "proj_1" }));
    return describeObject({ ...described, changes })?.href;
  };
  expect(inProject("rate_limits", "rl_gpt-5")).toBe("/projects/proj_1/limits/gpt-5");
  expect(inProject("project_api_keys", "key_1")).toBe("/projects/proj_1/keys");
  expect(inProject("roles", "role_1")).toBe("/projects/proj_1/roles");
});

test("a group leads to its page, by its name", () => {
  expect(describeObject(event("groups", {}, { name: "Research" }))).toEqual({
    name: "Research",
    href: "/groups/one",
  });
});
