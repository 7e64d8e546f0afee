import { expect, test } from "bun:test";
import { readRoleView, writeRoleView } from "./role-view";

test("a view is read as it was written", () => {
  for (const projectId of [null, "proj_01"]) {
    const view = { permissions: ["api.models.read", "api.roles.write"] as const, projectId };
    expect(readRoleView(writeRoleView(view))).toEqual({ ...view, permissions: [...view.permissions] });
  }
});

test("a header that isn't understood allows nothing", () => {
  for (const text of ["", "api.models.read", "in=; api.models.read", "in=organization; api.everything"])
    expect(readRoleView(text).permissions).toEqual([]);
});
