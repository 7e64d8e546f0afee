import { expect, test } from "bun:test";
import { permissionsIn } from "./permissions-in";

const heldPermissions = {
  permissions: ["api.models.read"],
  project_permissions: [{ project_id: "proj_1", permissions: ["api.models.read", "api.playground.write"] }],
};

test("a project's permissions count only in that project", () => {
  expect(permissionsIn(heldPermissions, "proj_1")).toContain("api.playground.write");
  expect(permissionsIn(heldPermissions, "proj_2")).toEqual(["api.models.read"]);
  expect(permissionsIn(heldPermissions, null)).toEqual(["api.models.read"]);
});
