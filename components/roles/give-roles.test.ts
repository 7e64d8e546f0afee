import { expect, test } from "bun:test";
import { permissions } from "@/lib/contract/access/permissions";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { findLackedPermission, findOrganizationRole, findProjectRole, smallestRole } from "./give-roles";
import { listPredefinedRoles } from "./use-organization-roles";

const roles = listPredefinedRoles("api.organization");
const admin = {
  permissions: predefinedRoles.find(({ id }) => id === "role_admin")?.permissions.slice() ?? [],
  project_permissions: [{ project_id: "proj_1", permissions: ["api.projects.read"] }],
};

test("a member who may not record payments can't grant a role that may", () => {
  const refused = roles
    .filter((role) => findLackedPermission(role, admin, null) !== null)
    .map(({ name }) => name);
  expect(refused).toEqual(["Owner", "Finance", "Directory"]);
  expect(findLackedPermission({ permissions: ["api.payments.write"] }, admin, null)).toBe(
    "api.payments.write",
  );
  expect(findLackedPermission({ permissions: ["api.payments.write"] }, null, null)).toBeNull();
});

test("in a project, the permissions held there count", () => {
  expect(findLackedPermission({ permissions: ["api.models.read"] }, admin, "proj_1")).toBe("api.models.read");
  expect(findLackedPermission({ permissions: ["api.models.read"] }, admin, "proj_2")).toBeNull();
});

test("a new member begins with the least there is to give", () => {
  const owner = { permissions: [...permissions], project_permissions: [] };
  for (const giver of [admin, owner, null]) expect(smallestRole(roles, giver)?.name).toBe("Prompt tester");
  expect(smallestRole(roles, { permissions: [], project_permissions: [] })).toBeUndefined();
});

test("a role is found by its word and by its id", () => {
  expect(findOrganizationRole(roles, "reader")?.name).toBe("Reader");
  expect(findOrganizationRole(roles, "role_reader")?.name).toBe("Reader");
  expect(findProjectRole(listPredefinedRoles("api.project"), "member")?.name).toBe("Project member");
  expect(findOrganizationRole(roles, "role_gone")).toBeUndefined();
});
