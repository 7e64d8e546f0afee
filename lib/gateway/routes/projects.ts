import type { Project } from "@/lib/contract/operations/projects";
import { type ArchiveContext, archiveProject } from "../projects/archive-project";
import { createProject } from "../projects/create-project";
import { findProject } from "../projects/find-project";
import type { ProjectRecord } from "../projects/project-store";
import { renameProject } from "../projects/rename-project";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toUnixSeconds } from "./unix-seconds";

type Ids = "listProjects" | "createProject" | "retrieveProject" | "changeProject" | "archiveProject";

export function projectRoutes(context: ArchiveContext): Handlers<Ids> {
  return {
    listProjects: async ({ query, caller }) => {
      const visible = (await context.projects.list()).filter(
        ({ id, archivedAtMs }) =>
          (caller.projectId ?? id) === id &&
          caller.permissionsIn(id).has("api.projects.read") &&
          (archivedAtMs === null || query.include_archived),
      );
      return paginate(visible.map(toProject), query);
    },
    createProject: async ({ body }) => toProject(await createProject(context, body)),
    retrieveProject: async ({ params }) => toProject(await findProject(context.projects, params.project_id)),
    changeProject: async ({ params, body }) =>
      toProject(await renameProject(context.projects, params.project_id, body)),
    archiveProject: async ({ params }) => toProject(await archiveProject(context, params.project_id)),
  };
}

function toProject({ id, name, createdAtMs, archivedAtMs }: ProjectRecord): Project {
  return {
    object: "organization.project",
    id,
    name,
    status: archivedAtMs === null ? "active" : "archived",
    created_at: toUnixSeconds(createdAtMs),
    archived_at: archivedAtMs === null ? null : toUnixSeconds(archivedAtMs),
  };
}
