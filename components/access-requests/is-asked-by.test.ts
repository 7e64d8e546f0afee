import { expect, test } from "bun:test";
import { isAskedBy } from "./is-asked-by";

const nothing = { project_id: null, model: null, limits: null, permission: null };

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
  const asked = { ...nothing, ...draft };
  expect(isAskedBy(draft, asked)).toBe(true);
  expect(isAskedBy(draft, { ...asked, limits: { max_requests_per_1_minute: 20 } })).toBe(false);
  expect(
    isAskedBy(draft, { ...asked, limits: { max_requests_per_1_minute: 10, max_tokens_per_1_minute: 5 } }),
  ).toBe(false);
  expect(isAskedBy(draft, { ...asked, model: "chat" })).toBe(false);
});
