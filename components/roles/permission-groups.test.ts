import { expect, test } from "bun:test";
import { permissions } from "@/lib/contract/access/permissions";
import { groupPermissions, listNames, listSections, permissionGroups } from "./permission-groups";

const listPermissions = (groups: typeof permissionGroups) =>
  groups.flatMap(({ options }) => options.map(({ value }) => value));

test("every permission is in exactly one group", () => {
  expect(listPermissions(permissionGroups).toSorted()).toEqual(permissions.toSorted());
});

test("describes a role's permissions independently of their order, reading before writing", () => {
  const groups = groupPermissions(["api.roles.write", "api.projects.read", "api.roles.read"]);
  expect(groups.map(({ heading }) => heading)).toEqual(["Projects", "Roles"]);
  expect(groups[1]?.options[1]).toEqual({
    value: "api.roles.write",
    sentence: "Create, change and delete roles.",
  });
});

test("has a resource for each pair of permissions", () => {
  const [keys] = listSections([
    "api.project_api_keys.write",
    "api.project_api_keys.read",
    "api.service_accounts.read",
  ]);
  expect(keys?.resources.map(({ heading, lines }) => [heading, lines.length])).toEqual([
    ["Project keys", 2],
    ["Service accounts", 1],
  ]);
});

test("shows unknown permissions of another gateway last", () => {
  const sections = listSections(["api.vector_stores.read", "api.models.read"]);
  expect(sections.flatMap(listNames)).toEqual(["api.models.read", "api.vector_stores.read"]);
  expect(sections.at(-1)?.heading).toBe("Not known to this console");
});
