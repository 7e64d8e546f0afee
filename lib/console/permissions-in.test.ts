import { expect, test } from "bun:test";
import {
  holdsAnywhere,
  holdsInOrganization,
  holdsInProject,
  isKnownToHold,
  permissionsIn,
  permissionsInAny,
} from "./permissions-in";

const heldPermissions = {
  permissions: ["api.models.read"],
  project_permissions: [{ project_id: "proj_1", permissions: ["api.models.read", "api.playground.write"] }],
};

test("a project's permissions count only in that project", () => {
  expect(permissionsIn(heldPermissions, "proj_1")).toContain("api.playground.write");
  expect(permissionsIn(heldPermissions, "proj_2")).toEqual(["api.models.read"]);
  expect(permissionsIn(heldPermissions, null)).toEqual(["api.models.read"]);
});

test("whoever has a permission in one project has it there alone, and everybody has it if none is reported", () => {
  const holds = (projectId: string | null) =>
    holdsInProject(heldPermissions, projectId, "api.playground.write");
  expect([holds("proj_1"), holds("proj_2"), holds(null)]).toEqual([true, false, false]);
  expect(holdsInProject(heldPermissions, "proj_2", "api.models.read")).toBe(true);
  expect(holdsInProject(null, "proj_2", "api.playground.write")).toBe(true);
});

test("permissions in any of several projects are those of the organization and of each that is shown, not of others", () => {
  const held = {
    permissions: ["api.usage.read"],
    project_permissions: [
      { project_id: "proj_shown", permissions: ["api.usage.read", "api.tasks.read"] },
      { project_id: "proj_archived", permissions: ["api.project_api_keys.write"] },
    ],
  } as unknown as Parameters<typeof permissionsInAny>[0];
  expect(permissionsInAny(held, ["proj_shown", "proj_other"])).toEqual(["api.usage.read", "api.tasks.read"]);
});

test.each([
  ["isKnownToHold", isKnownToHold, { reported: true, inProjectAlone: false, unreported: false }],
  ["holdsInOrganization", holdsInOrganization, { reported: true, inProjectAlone: false, unreported: true }],
  ["holdsAnywhere", holdsAnywhere, { reported: true, inProjectAlone: true, unreported: true }],
])(
  "%s answers for a permission that is held, held in a project alone, and not reported",
  (_name, holds, expected) => {
    expect({
      reported: holds(heldPermissions, "api.models.read"),
      inProjectAlone: holds(heldPermissions, "api.playground.write"),
      unreported: holds(null, "api.models.read"),
    }).toEqual(expected);
    expect(holds(heldPermissions, "api.roles.write")).toBe(false);
  },
);
