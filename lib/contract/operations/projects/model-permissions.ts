import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { withVersion } from "../../version";
import { modelId } from "../models/models";

const mode = z.enum(["allow_list", "deny_list"]);

/**
 * The models that a project may call: only the listed ones, or all but those. After OpenAI's
 * `project.model_permissions`.
 */
const modelPermissions = withVersion(
  z.object({
    object: z.literal("project.model_permissions"),
    mode,
    model_ids: z.array(z.string()),
  }),
);
export type ModelPermissions = z.output<typeof modelPermissions>;

const modelPermissionsDraft = z.strictObject({
  mode,
  model_ids: z.array(modelId).check(z.maxLength(1000)),
});
export type ModelPermissionsDraft = z.output<typeof modelPermissionsDraft>;

const deletedPermissions = z.object({
  object: z.literal("project.model_permissions.deleted"),
  deleted: z.literal(true),
});

export const modelPermissionOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    retrieveModelPermissions: {
      method: "GET",
      path: "/organization/projects/{project_id}/model_permissions",
      permission: "api.model_permissions.read",
      summary: "Returns which models a project may call; 404 where it may call every model.",
      reply: modelPermissions,
    },
    saveModelPermissions: {
      method: "POST",
      effect: "sets",
      path: "/organization/projects/{project_id}/model_permissions",
      permission: "api.model_permissions.write",
      summary: "Sets which models a project may call, from the next call on.",
      body: modelPermissionsDraft,
      reply: modelPermissions,
    },
    deleteModelPermissions: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/projects/{project_id}/model_permissions",
      permission: "api.model_permissions.write",
      summary: "Lets a project call every model again.",
      reply: deletedPermissions,
    },
  },
);
