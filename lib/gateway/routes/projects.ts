import type { Project } from "@/lib/contract/operations/projects";
import type { Effects } from "../ports/effects";
import { createProject } from "../projects/create-project";
import { findProject } from "../projects/find-project";
import type { ProjectRecord, ProjectStore } from "../projects/project-store";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toUnixSeconds } from "./unix-seconds";

export function projectRoutes(context: {
  projects: ProjectStore;
  effects: Effects;
}): Handlers<"listProjects" | "createProject" | "retrieveProject"> {
  return {
    listProjects: async ({ query, caller }) => {
      const all = await context.projects.list();
      const visible = caller.projectId === null ? all : all.filter(({ id }) => id === caller.projectId);
      return paginate(visible.map(toProject), query);
    },
    createProject: async ({ body }) => toProject(await createProject(context, body)),
    retrieveProject: async ({ params }) => toProject(await findProject(context.projects, params.project_id)),
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
