import { expect, test } from "bun:test";
import { collectPermissions } from "./role-form";
import { roleForm } from "./role-form-schema";

const form = { role_name: " Auditor ", description: "", permissions: [], other_permissions: "" };

test("permissions may be ticked and typed, by lines, commas or spaces, and repeat", () => {
  const both = { permissions: ["api.roles.read"], other_permissions: " api.groups.read,\napi.roles.read \n" };
  expect(collectPermissions(both)).toEqual(["api.roles.read", "api.groups.read"]);
});

test("a role needs a name and one permission, ticked or typed", () => {
  expect(roleForm.safeParse(form).error?.issues.map(({ path }) => path.join("."))).toEqual(["permissions"]);
  const typed = roleForm.parse({ ...form, other_permissions: "api.groups.read" });
  expect(typed.role_name).toBe("Auditor");
  expect(roleForm.safeParse({ ...typed, role_name: "  " }).success).toBe(false);
});
