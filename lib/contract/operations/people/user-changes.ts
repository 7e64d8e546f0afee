import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { roleRefusals } from "./roles";

const id = z.string().check(z.minLength(1));

/** What is done to every named member. Roles are named by their ids, or by words such as `owner` and `viewer`. */
const userAction = z.discriminatedUnion("type", [
  /** Takes the place of all roles that they hold in the organization directly. */
  z.strictObject({ type: z.literal("set_role"), role_id: id }),
  /** Takes the place of all roles that they hold in the project directly. */
  z.strictObject({ type: z.literal("set_project_role"), project_id: id, role_id: id }),
  z.strictObject({ type: z.literal("leave_project"), project_id: id }),
  z.strictObject({ type: z.literal("join_group"), group_id: id }),
  z.strictObject({ type: z.literal("leave_group"), group_id: id }),
  z.strictObject({ type: z.literal("remove") }),
]);
export type UserAction = z.output<typeof userAction>;

export const userChanges = z.strictObject({
  user_ids: z
    .array(id)
    .check(
      z.minLength(1, "must name at least one member"),
      z.maxLength(1000, "must name at most 1,000 members"),
    ),
  action: userAction,
});
export type UserChanges = z.output<typeof userChanges>;

/** What a change does to a member. */
const changedUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether anything is changed for them: false for somebody who is in the group already. */
  is_changed: z.boolean(),
  /** The permissions that they gain and lose, in the project that it is about or anywhere. */
  gains: z.array(z.string()),
  loses: z.array(z.string()),
});

const userChangesPreview = z.object({
  object: z.literal("user_changes.preview"),
  members: z.array(changedUser),
  refused: roleRefusals,
  /** Why the change would be refused, and because of which member; null if it wouldn't. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string(), user_id: z.nullable(z.string()) })),
});
export type UserChangesPreview = z.output<typeof userChangesPreview>;

export const userChangesOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.users.write" },
  {
    changeUsers: {
      method: "POST",
      effect: "acts",
      path: "/organization/user_changes",
      summary:
        "Does one thing to up to 1,000 members: all or none. Groups and projects need the permissions that one member would.",
      body: userChanges,
      reply: z.object({ object: z.literal("user_changes"), members: z.array(changedUser) }),
    },
    previewUserChanges: {
      method: "POST",
      effect: "acts",
      path: "/organization/user_changes/preview",
      summary:
        "Says what a change of many members would do to each, and what of the last days it would have refused. Changes nothing.",
      body: userChanges,
      reply: userChangesPreview,
    },
  },
);
