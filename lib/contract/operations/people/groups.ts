import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { displayName, nextPageSchema, searchedOrderedPageQuery, unixSeconds } from "../../schema";
import { withVersion } from "../../version";

/** A group of members with common roles, after OpenAI's group. */
const group = withVersion(
  z.object({
    id: z.string(),
    name: z.string(),
    group_type: z.literal("group"),
    /** Whether a directory decides its name and who is in it. */
    is_scim_managed: z.boolean(),
    created_at: unixSeconds,
  }),
);
export type Group = z.output<typeof group>;

/** A group as a part of other replies. */
export const groupReference = z.object({
  object: z.literal("group"),
  id: z.string(),
  name: z.string(),
  scim_managed: z.boolean(),
  created_at: unixSeconds,
});
export type GroupReference = z.output<typeof groupReference>;

export const groupDraft = z.strictObject({ name: displayName });
export type GroupDraft = z.output<typeof groupDraft>;

const groupChange = z.strictObject({
  name: z.optional(displayName),
  /** Takes the group from the directory, until that changes it again. */
  is_scim_managed: z.optional(z.literal(false)),
});
export type GroupChange = z.output<typeof groupChange>;

const deletedGroup = z.object({
  object: z.literal("group.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const groupOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listGroups: {
      method: "GET",
      path: "/organization/groups",
      permission: "api.groups.read",
      summary: "Lists the organization's groups, oldest first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(group),
    },
    createGroup: {
      method: "POST",
      effect: "creates",
      path: "/organization/groups",
      permission: "api.groups.write",
      summary: "Creates a group. Its name is unique within the organization.",
      body: groupDraft,
      reply: group,
    },
    retrieveGroup: {
      method: "GET",
      path: "/organization/groups/{group_id}",
      permission: "api.groups.read",
      summary: "Returns one group.",
      reply: group,
    },
    changeGroup: {
      method: "POST",
      effect: "edits",
      path: "/organization/groups/{group_id}",
      permission: "api.groups.write",
      summary: "Renames a group, or takes it from the directory that keeps it.",
      body: groupChange,
      reply: group,
    },
    deleteGroup: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/groups/{group_id}",
      permission: "api.groups.write",
      summary: "Deletes a group: what its members held through it ends at once.",
      reply: deletedGroup,
    },
  },
);
