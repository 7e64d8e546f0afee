import { expect, test } from "bun:test";
import { describePath, describeRemedy } from "./permission-answer";

const findName = (id: string) => (id === "proj_1" ? "checkout" : id);
const role = { id: "role_reader", name: "Reader" };

test("explains a permission by its role, its holder and its scope", () => {
  const held_by = { type: "user" as const, id: "user_1", name: "Ada" };
  expect(describePath({ role, held_by, project_id: null }, findName)).toBe(
    "By the role Reader, held directly, in the whole organization.",
  );
  const group = { type: "group" as const, id: "group_1", name: "Night shift" };
  expect(describePath({ role, held_by: group, project_id: "proj_1" }, findName)).toBe(
    "By the role Reader, through the group Night shift, in the project checkout.",
  );
});

test("explains a missing permission with the role that would grant it, and what else that role grants", () => {
  const remedy = (...also_grants: string[]) =>
    describeRemedy({ role, project_id: "proj_1", also_grants }, findName);
  expect(remedy()).toBe("The role Reader in the project checkout would allow it, and nothing besides.");
  expect(remedy("api.ledger.read")).toEndWith("would allow it, and one thing besides:");
  expect(remedy("api.ledger.read", "api.users.read")).toEndWith("2 things besides:");
  expect(describeRemedy(null, findName)).toBe("No role that can be held there allows it.");
});
