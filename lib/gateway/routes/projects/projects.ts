import type { Project } from "@/lib/contract/operations/projects/projects";
import { listVisibleProjects } from "../../access/authorize";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { ProjectRecord } from "../../projects/project-store.sql";
import {
  archiveProject,
  changeProject,
  createProject,
  findProject,
  type ProjectContext,
} from "../../projects/projects";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listProjects" | "createProject" | "retrieveProject" | "changeProject" | "archiveProject";

export function projectRoutes(context: ProjectContext & { graph: AccessGraph }): Handlers<Ids> {
  return {
    listProjects: ({ query, caller }) => {
      const filter = {
        ids: listVisibleProjects(context.graph, caller, "api.projects.read"),
        withArchived: query.include_archived === true,
      };
      return paginate(context.projects.pages(filter), query, toProject);
    },
    createProject: async ({ body, request }) => toProject(await createProject(context, request, body)),
    retrieveProject: async ({ params }) => toProject(await findProject(context.projects, params.project_id)),
    changeProject: async ({ params, body, request }) =>
      toProject(await changeProject(context, request, params.project_id, body)),
    archiveProject: async ({ params, request }) =>
      toProject(await archiveProject(context, request, params.project_id)),
  };
}

function toProject({ id, name, createdAtMs, archivedAtMs, refusesHostedTools }: ProjectRecord): Project {
  return {
    object: "organization.project",
    id,
    name,
    status: archivedAtMs === null ? "active" : "archived",
    created_at: toUnixSeconds(createdAtMs),
    archived_at: toNullableUnixSeconds(archivedAtMs),
    hosted_tools: refusesHostedTools ? "refuse" : "leave_out",
  };
}
