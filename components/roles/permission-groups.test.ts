import { expect, test } from "bun:test";
import { permissions } from "@/lib/contract/access/permissions";
import { groupPermissions, permissionGroups } from "./permission-groups";

const listPermissions = (groups: typeof permissionGroups) =>
  groups.flatMap(({ options }) => options.map(({ value }) => value));

test("every permission is in exactly one group, in the catalogue's order", () => {
  // A different order would make a role look changed.
  expect(listPermissions(permissionGroups)).toEqual(permissions);
});

test("describes a role's permissions independently of their order", () => {
  const groups = groupPermissions(["api.roles.write", "api.projects.read", "api.roles.read"]);
  expect(groups.map(({ heading }) => heading)).toEqual(["Projects", "Roles"]);
  expect(groups[1]?.options[1]).toEqual({
    value: "api.roles.write",
    sentence: "Create, change and delete roles.",
  });
});

test("shows unknown permissions of another gateway last", () => {
  const groups = groupPermissions(["api.vector_stores.read", "api.models.read"]);
  expect(listPermissions(groups)).toEqual(["api.models.read", "api.vector_stores.read"]);
  expect(groups.at(-1)?.heading).toBe("Not known to this console");
});
