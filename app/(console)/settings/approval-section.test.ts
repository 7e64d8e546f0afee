import { expect, test } from "bun:test";
import { findApprovers } from "./approval-section";

const holder = (type: "user" | "group" | "admin_key", id: string) => ({ type, id, name: id });

test("who can approve holds a role that allows it in the organization, and is no key", () => {
  const roles = [
    { id: "finance", name: "Finance", permissions: ["api.payments.write"] },
    { id: "reader", name: "Reader", permissions: ["api.ledger.read"] },
  ] as never;
  const { approving, people } = findApprovers(roles, [
    { role_id: "finance", holder: holder("user", "ada"), project_id: null },
    { role_id: "finance", holder: holder("user", "ada"), project_id: null },
    { role_id: "finance", holder: holder("group", "books"), project_id: null },
    { role_id: "finance", holder: holder("admin_key", "key"), project_id: null },
    { role_id: "finance", holder: holder("user", "eve"), project_id: "proj_1" },
    { role_id: "reader", holder: holder("user", "dan"), project_id: null },
  ]);
  expect(approving.map(({ name }) => name)).toEqual(["Finance"]);
  expect(people.map(({ id }) => id)).toEqual(["ada", "books"]);
});
