import type { Mirror } from "../changes/mirror";
import type { ModelPermissionStore, ProjectModelPermissions } from "./model-permission-store";

/** Which models each project may call, in memory. */
export class ModelPermissionMirror {
  #byProject = new Map<string, ProjectModelPermissions>();

  /** Whether a project may call a model. A project without permissions of its own may call every model. */
  allows(projectId: string, modelId: string): boolean {
    const permissions = this.#byProject.get(projectId);
    return !permissions || permissions.modelIds.has(modelId) === (permissions.mode === "allow_list");
  }

  find(projectId: string): ProjectModelPermissions | undefined {
    return this.#byProject.get(projectId);
  }

  following(store: Pick<ModelPermissionStore, "list" | "find">): Mirror {
    return {
      load: async () => {
        const records = await store.list();
        this.#byProject = new Map(records.map((permissions) => [permissions.projectId, permissions]));
      },
      reread: {
        model_permissions: async ({ id }) => {
          const permissions = await store.find(id);
          if (permissions) this.#byProject.set(id, permissions);
          else this.#byProject.delete(id);
        },
      },
    };
  }
}
