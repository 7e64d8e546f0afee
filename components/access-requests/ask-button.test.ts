import { expect, test } from "bun:test";
import { isAskedBy } from "./ask-button";

const nothing = {
  kind: "permission" as const,
  project_id: null,
  model: null,
  limits: null,
  permission: null,
};

test("a permission is found again, of the organization or of the same project", () => {
  const draft = { permission: "api.balance.read", project_id: "proj_a" } as const;
  const asked = { ...nothing, permission: "api.balance.read" };
  expect(isAskedBy(draft, asked)).toBe(true);
  expect(isAskedBy(draft, { ...asked, project_id: "proj_a" })).toBe(true);
  expect(isAskedBy(draft, { ...asked, project_id: "proj_b" })).toBe(false);
  expect(isAskedBy(draft, { ...asked, permission: "api.ledger.read" })).toBe(false);
});

test("limits are found again where all of them are the same", () => {
  const draft = { project_id: "proj_a", model: "echo", limits: { max_requests_per_1_minute: 10 } };
  const asked = { ...nothing, ...draft, kind: "rate_limits" as const };
  expect(isAskedBy(draft, asked)).toBe(true);
  expect(isAskedBy(draft, { ...asked, limits: { max_requests_per_1_minute: 20 } })).toBe(false);
  expect(
    isAskedBy(draft, { ...asked, limits: { max_requests_per_1_minute: 10, max_tokens_per_1_minute: 5 } }),
  ).toBe(false);
  expect(isAskedBy(draft, { ...asked, model: "chat" })).toBe(false);
});

test("a model and a spend limit are found again by their place", () => {
  const model = { ...nothing, kind: "model" as const, project_id: "proj_a", model: "echo" };
  expect(isAskedBy({ project_id: "proj_a", model: "echo" }, model)).toBe(true);
  expect(isAskedBy({ project_id: "proj_a", model: "echo" }, { ...model, kind: "rate_limits" })).toBe(false);
  expect(isAskedBy({ project_id: "proj_b", model: "echo" }, model)).toBe(false);
  const spend = { ...nothing, kind: "spend_limit" as const };
  expect(isAskedBy({ spend_limit: { threshold_amount: 5 } }, spend)).toBe(true);
  expect(isAskedBy({ spend_limit: {}, project_id: "proj_a" }, spend)).toBe(false);
});
