import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { pageSchema, searchedOrderedPageQuery, unixSeconds } from "../../schema";
import { withVersion } from "../../version";
import { heldRoleIds } from "../people/roles";

/** A member with a direct role in a project. After OpenAI's `organization.project.user`. */
const projectUser = withVersion(
  z.object({
    object: z.literal("organization.project.user"),
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** The first of the direct roles: a word such as `owner` for a predefined one, otherwise its id. */
    role: z.string(),
    roles: heldRoleIds,
    added_at: unixSeconds,
  }),
);
export type ProjectUser = z.output<typeof projectUser>;

const roleName = z.string().check(z.minLength(1));

/** `role`: `owner`, `member`, `viewer`, or the id of a role of the project. The member is named by id or by address. */
const projectUserDraft = z
  .strictObject({
    role: roleName,
    user_id: z.optional(z.nullable(z.string())),
    email: z.optional(z.nullable(z.string())),
  })
  .check(
    z.refine(({ user_id: id, email }) => Boolean(id) !== Boolean(email), {
      message: "must name the member once: send user_id or email",
    }),
  );
export type ProjectUserDraft = z.output<typeof projectUserDraft>;

const projectUserChange = z.strictObject({ role: z.optional(z.nullable(roleName)) });

const deletedUser = z.object({
  object: z.literal("organization.project.user.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const projectUserOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listProjectUsers: {
      method: "GET",
      path: "/organization/projects/{project_id}/users",
      permission: "api.project_users.read",
      summary: "Lists a project's members, oldest first: those who hold a role in it directly.",
      query: searchedOrderedPageQuery,
      reply: pageSchema(projectUser),
    },
    addProjectUser: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects/{project_id}/users",
      permission: "api.project_users.write",
      summary: "Adds a member to a project with a role. Nobody gives more than they hold.",
      body: projectUserDraft,
      reply: projectUser,
    },
    retrieveProjectUser: {
      method: "GET",
      path: "/organization/projects/{project_id}/users/{user_id}",
      permission: "api.project_users.read",
      summary: "Returns one member of a project.",
      reply: projectUser,
    },
    changeProjectUser: {
      method: "POST",
      effect: "edits",
      path: "/organization/projects/{project_id}/users/{user_id}",
      permission: "api.project_users.write",
      summary: "Changes a member's role in a project; it takes the place of all held directly.",
      body: projectUserChange,
      reply: projectUser,
    },
    removeProjectUser: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/projects/{project_id}/users/{user_id}",
      permission: "api.project_users.write",
      summary: "Removes a member from a project: the roles held directly in it end at once.",
      reply: deletedUser,
    },
  },
);
