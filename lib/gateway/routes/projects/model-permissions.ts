import type { ModelPermissions } from "@/lib/contract/operations/projects/model-permissions";
import type { ProjectModelPermissions } from "../../projects/model-permission-store.sql";
import {
  deleteModelPermissions,
  findModelPermissions,
  type ModelPermissionContext,
  saveModelPermissions,
} from "../../projects/model-permissions";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { Handlers } from "../handler";

interface Context extends ModelPermissionContext {
  readonly projects: ProjectStore;
}

type Ids = "retrieveModelPermissions" | "saveModelPermissions" | "deleteModelPermissions";

export function modelPermissionRoutes(context: Context): Handlers<Ids> {
  return {
    retrieveModelPermissions: async ({ params }) => {
      const { id } = await findProject(context.projects, params.project_id);
      return toModelPermissions(findModelPermissions(context.modelPermissionCache, id));
    },
    saveModelPermissions: async ({ params, body, request }) =>
      toModelPermissions(await saveModelPermissions(context, request, params.project_id, body)),
    deleteModelPermissions: async ({ params, request }) => {
      await deleteModelPermissions(context, request, params.project_id);
      return { object: "project.model_permissions.deleted", deleted: true };
    },
  };
}

function toModelPermissions({ mode, modelIds }: ProjectModelPermissions): ModelPermissions {
  return { object: "project.model_permissions", mode, model_ids: [...modelIds] };
}
