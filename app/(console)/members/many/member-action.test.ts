import { expect, test } from "bun:test";
import { toAction } from "./member-action";

const nothing = { roleId: "", projectId: "", groupId: "" };

test("nothing is asked for until everything is chosen", () => {
  expect(toAction({ ...nothing, type: "set_role" })).toBeNull();
  expect(toAction({ ...nothing, type: "set_project_role", roleId: "viewer" })).toBeNull();
  expect(toAction({ ...nothing, type: "join_group", projectId: "proj_1" })).toBeNull();
});

test("a choice holds only what its action needs", () => {
  const chosen = { roleId: "role_1", projectId: "proj_1", groupId: "group_1" };
  expect(toAction({ ...chosen, type: "set_role" })).toEqual({ type: "set_role", role_id: "role_1" });
  expect(toAction({ ...chosen, type: "leave_project" })).toEqual({
    type: "leave_project",
    project_id: "proj_1",
  });
  expect(toAction({ ...chosen, type: "remove" })).toEqual({ type: "remove" });
});
