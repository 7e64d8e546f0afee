import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  displayName,
  nextPageSchema,
  notSupported,
  pageSchema,
  queryFlag,
  searchedOrderedPageQuery,
  unixSeconds,
} from "../../schema";
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

/** What becomes of tools that a model's provider would run, and for which the model has no price. */
export const hostedToolRules = ["leave_out", "refuse"] as const;

const project = withVersion(
  z.object({
    object: z.literal("organization.project"),
    id: z.string(),
    name: z.string(),
    status: z.enum(["active", "archived"]),
    created_at: unixSeconds,
    archived_at: z.nullable(unixSeconds),
    /**
     * Whether calls go without the tools that only a provider runs and the model has no price for, or are refused.
     */
    hosted_tools: z.enum(hostedToolRules),
  }),
);
export type Project = z.output<typeof project>;

export const projectDraft = z.strictObject({
  name: displayName,
  /** `leave_out` by default. */
  hosted_tools: z.optional(z.enum(hostedToolRules)),
  external_key_id: notSupported,
  geography: notSupported,
  residency: notSupported,
});
export type ProjectDraft = z.output<typeof projectDraft>;

const projectChange = z.strictObject({
  name: z.optional(z.nullable(displayName)),
  hosted_tools: z.optional(z.enum(hostedToolRules)),
  external_key_id: notSupported,
  geography: notSupported,
});
export type ProjectChange = z.output<typeof projectChange>;

const listQuery = z.extend(searchedOrderedPageQuery, { include_archived: z.optional(queryFlag) });

export const projectOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    listProjects: {
      method: "GET",
      path: "/organization/projects",
      scope: "any project",
      permission: "api.projects.read",
      summary: "Lists the projects you may see, oldest first; archived ones only with `include_archived`.",
      query: listQuery,
      reply: pageSchema(project),
    },
    createProject: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects",
      scope: "organization",
      permission: "api.projects.write",
      summary: "Creates a project. Its rate limits start at each model's defaults.",
      body: projectDraft,
      reply: project,
    },
    retrieveProject: {
      method: "GET",
      path: "/organization/projects/{project_id}",
      scope: "project",
      permission: "api.projects.read",
      summary: "Returns one project.",
      reply: project,
    },
    changeProject: {
      method: "POST",
      effect: "edits",
      path: "/organization/projects/{project_id}",
      scope: "project",
      permission: "api.projects.write",
      summary: "Renames a project, or changes what becomes of tools that a provider would run.",
      body: projectChange,
      reply: project,
    },
    archiveProject: {
      method: "POST",
      effect: "edits",
      path: "/organization/projects/{project_id}/archive",
      scope: "project",
      permission: "api.projects.write",
      summary:
        "Archives a project for good: its keys are revoked at once and it answers no more calls. Its usage stays.",
      reply: project,
    },
  },
);
