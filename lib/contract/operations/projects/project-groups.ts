import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { nextPageSchema, searchedOrderedPageQuery, unixSeconds } from "../../schema";
import { withVersion } from "../../version";
import { heldRoleIds } from "../people/roles";

/** A group with a role in a project, after OpenAI's `project.group`. */
const projectGroup = withVersion(
  z.object({
    object: z.literal("project.group"),
    project_id: z.string(),
    group_id: z.string(),
    group_name: z.string(),
    group_type: z.literal("group"),
    roles: heldRoleIds,
    created_at: unixSeconds,
  }),
);
export type ProjectGroup = z.output<typeof projectGroup>;

/** `role`: `owner`, `member`, `viewer`, or the id of a role of the project. */
const projectGroupDraft = z.strictObject({
  group_id: z.string().check(z.minLength(1)),
  role: z.string().check(z.minLength(1)),
});
export type ProjectGroupDraft = z.output<typeof projectGroupDraft>;

const retrieveQuery = z.strictObject({ group_type: z.optional(z.enum(["group", "tenant_group"])) });

const deletedGroup = z.object({ object: z.literal("project.group.deleted"), deleted: z.literal(true) });

export const projectGroupOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listProjectGroups: {
      method: "GET",
      path: "/organization/projects/{project_id}/groups",
      permission: "api.project_groups.read",
      summary: "Lists the groups in a project, oldest first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(projectGroup),
    },
    addProjectGroup: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects/{project_id}/groups",
      permission: "api.project_groups.write",
      summary: "Adds a group to a project with a role. Nobody gives more than they hold.",
      body: projectGroupDraft,
      reply: projectGroup,
    },
    retrieveProjectGroup: {
      method: "GET",
      path: "/organization/projects/{project_id}/groups/{group_id}",
      permission: "api.project_groups.read",
      summary: "Returns one group in a project.",
      query: retrieveQuery,
      reply: projectGroup,
    },
    removeProjectGroup: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/projects/{project_id}/groups/{group_id}",
      permission: "api.project_groups.write",
      summary: "Removes a group from a project: its roles in it end at once.",
      reply: deletedGroup,
    },
  },
);
