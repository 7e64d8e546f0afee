import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { nextPageSchema, searchedOrderedPageQuery } from "../../schema";
import { withVersion } from "../../version";

const groupUser = z.object({ id: z.string(), name: z.string(), email: z.string() });
export type GroupUser = z.output<typeof groupUser>;

/** The details of a group's member. */
const groupUserDetails = withVersion(
  z.extend(groupUser, {
    is_service_account: z.literal(false),
    picture: z.null(),
    user_type: z.literal("user"),
  }),
);

const groupUserDraft = z.strictObject({ user_id: z.string().check(z.minLength(1)) });
const addedUser = z.object({ object: z.literal("group.user"), group_id: z.string(), user_id: z.string() });
const removedUser = z.object({ object: z.literal("group.user.deleted"), deleted: z.literal(true) });

export const groupUserOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listGroupUsers: {
      method: "GET",
      path: "/organization/groups/{group_id}/users",
      permission: "api.groups.read",
      summary: "Lists who is in a group, oldest members first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(groupUser),
    },
    addGroupUser: {
      method: "POST",
      effect: "creates",
      path: "/organization/groups/{group_id}/users",
      permission: "api.groups.write",
      summary:
        "Adds a member to a group, and so gives what the group holds. Nobody gives more than they hold.",
      body: groupUserDraft,
      reply: addedUser,
    },
    retrieveGroupUser: {
      method: "GET",
      path: "/organization/groups/{group_id}/users/{user_id}",
      permission: "api.groups.read",
      summary: "Returns one member of a group.",
      reply: groupUserDetails,
    },
    removeGroupUser: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/groups/{group_id}/users/{user_id}",
      permission: "api.groups.write",
      summary: "Takes a member out of a group. The last owner stays.",
      reply: removedUser,
    },
  },
);
