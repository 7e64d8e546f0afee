import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  displayName,
  notSupported,
  pageSchema,
  queryFlag,
  searchedOrderedPageQuery,
  unixSeconds,
} from "../../schema";
import { withVersion } from "../../version";

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
