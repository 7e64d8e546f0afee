import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { displayName, pageOf, pageQuery, unixSeconds } from "../schema";

export const project = z.object({
  object: z.literal("organization.project"),
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "archived"]),
  created_at: unixSeconds,
  archived_at: z.nullable(unixSeconds),
});
export type Project = z.output<typeof project>;

export const projectDraft = z.strictObject({ name: displayName });
export type ProjectDraft = z.output<typeof projectDraft>;

export const projectOperations = {
  listProjects: defineOperation({
    id: "listProjects",
    method: "GET",
    path: "/organization/projects",
    surface: "v1 and origin",
    permission: "api.projects.read",
    summary: "Lists the organization's projects, oldest first.",
    query: pageQuery,
    reply: pageOf(project),
  }),
  createProject: defineOperation({
    id: "createProject",
    method: "POST",
    path: "/organization/projects",
    surface: "v1 and origin",
    permission: "api.projects.write",
    summary: "Creates a project. Its rate limits start at each model's defaults.",
    body: projectDraft,
    reply: project,
  }),
  retrieveProject: defineOperation({
    id: "retrieveProject",
    method: "GET",
    path: "/organization/projects/{project_id}",
    surface: "v1 and origin",
    permission: "api.projects.read",
    summary: "Returns one project.",
    reply: project,
  }),
};
