import { expect, test } from "bun:test";
import { appliesInProject } from "../access-table";
import { operationTable } from "../operation-table";
import { isPermission, type Permission, permissions, projectPermissions } from "./permissions";
import { ownerRole, predefinedRoles } from "./predefined-roles";

test("treats no inherited property as a permission", () => {
  for (const inheritedName of ["constructor", "__proto__", "toString", ""])
    expect(isPermission(inheritedName)).toBe(false);
});

test("predefined roles hold what the contract says", () => {
  const permissionsIn = (id: string) => predefinedRoles.find((role) => role.id === id)?.permissions ?? [];
  expect(ownerRole.permissions).toEqual(permissions);
  expect(permissions.filter((name) => !permissionsIn("role_admin").includes(name))).toEqual([
    "api.payments.write",
    "api.corrections.write",
    "api.payment_approval.write",
    "api.statements.write",
    "api.directory.write",
  ]);
  const reads = permissions.filter((name) => name.endsWith(".read"));
  expect(reads.filter((name) => !permissionsIn("role_reader").includes(name))).toEqual([
    "api.request_bodies.read",
    "api.prompts.read",
  ]);
  expect(permissionsIn("role_reader").filter((name) => !reads.includes(name))).toEqual([]);
  expect(permissionsIn("role_finance")).toContain("api.payments.write");
  expect(permissionsIn("role_finance")).toContain("api.corrections.write");
  expect(permissionsIn("role_finance")).toContain("api.statements.write");
  expect(permissionsIn("role_finance")).not.toContain("api.models.write");
  expect(permissionsIn("role_project_viewer").filter((name) => name.endsWith(".write"))).toEqual([]);
  const names = predefinedRoles.map(({ name }) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
});

test("a project's roles may hold what its operations, or calls made for it, ask for", () => {
  const permissionsAsked = operationTable
    .filter(appliesInProject)
    .flatMap(({ permission, sessionPermission }) => [permission as Permission, sessionPermission ?? []])
    .flat();
  expect([...projectPermissions].toSorted()).toEqual([...new Set(permissionsAsked)].toSorted());
  for (const { resourceType, permissions: rolePermissions } of predefinedRoles) {
    const beyond = rolePermissions.filter((name) => !projectPermissions.includes(name));
    if (resourceType === "api.project") expect(beyond).toEqual([]);
  }
});
