import type { ModelPermissions } from "@/lib/contract/operations/model-permissions";
import type { Catalogue } from "../models/catalogue";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { invalid, Refusal } from "../ports/refusal";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ModelPermissionBook, ProjectModelPermissions } from "../projects/model-permission-book";
import type { ModelPermissionStore } from "../projects/model-permission-store";
import type { ProjectStore } from "../projects/project-store";
import type { Handlers } from "./handler";

type Ids = "retrieveModelPermissions" | "saveModelPermissions" | "deleteModelPermissions";

export function modelPermissionRoutes(context: {
  projects: ProjectStore;
  catalogue: Catalogue;
  modelPermissions: ModelPermissionStore;
  modelPermissionBook: ModelPermissionBook;
  inTurn: OneAtATime;
  effects: Effects;
}): Handlers<Ids> {
  const { projects, catalogue, modelPermissions, modelPermissionBook, inTurn, effects } = context;
  const find = (projectId: string) => {
    const found = modelPermissionBook.find(projectId);
    if (found) return found;
    const message = `The project "${projectId}" has no model permissions: it may call every model.`;
    throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "project_id" });
  };
  return {
    retrieveModelPermissions: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toModelPermissions(find(id));
    },
    saveModelPermissions: ({ params, body }) =>
      inTurn(async () => {
        const { id: projectId } = await findActiveProject(projects, params.project_id);
        for (const [index, id] of body.model_ids.entries()) {
          if (!catalogue.find(id)) throw invalid(`model_ids.${index}`, `There is no model "${id}".`);
        }
        const saved = { projectId, mode: body.mode, modelIds: new Set(body.model_ids) };
        await modelPermissions.save(saved, effects.clock.nowMs());
        modelPermissionBook.put(saved);
        return toModelPermissions(saved);
      }),
    deleteModelPermissions: ({ params }) =>
      inTurn(async () => {
        const { id } = await findActiveProject(projects, params.project_id);
        find(id);
        await modelPermissions.delete(id);
        modelPermissionBook.remove(id);
        return { object: "project.model_permissions.deleted" as const, deleted: true as const };
      }),
  };
}

function toModelPermissions({ mode, modelIds }: ProjectModelPermissions): ModelPermissions {
  return { object: "project.model_permissions", mode, model_ids: [...modelIds] };
}
