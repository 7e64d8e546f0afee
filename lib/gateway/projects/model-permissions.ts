import type { ModelPermissionsDraft } from "@/lib/contract/operations/projects/model-permissions";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { ClockAndRandom } from "../clock";
import { invalid, Refusal } from "../refusal";
import type { ModelPermissionStore, ProjectModelPermissions } from "./model-permission-store.sql";

/** The models, with the projects that each is open to; null for every project. */
interface ModelAccess {
  find(id: string): { readonly projects: ReadonlySet<string> | null } | undefined;
}

/** Which models each project may call, in memory. */
export class ModelPermissionCache {
  #byProject = new Map<string, ProjectModelPermissions>();

  constructor(private readonly catalogue: ModelAccess) {}

  /**
   * Whether a project may call a model. Its own list of allowed models decides alone; without one it may call those
   * that are open to it and that it doesn't deny.
   */
  allows(projectId: string, modelId: string): boolean {
    const permissions = this.#byProject.get(projectId);
    if (permissions?.mode === "allow_list") return permissions.modelIds.has(modelId);
    if (permissions?.modelIds.has(modelId)) return false;
    const openTo = this.catalogue.find(modelId)?.projects ?? null;
    return openTo === null || openTo.has(projectId);
  }

  find(projectId: string): ProjectModelPermissions | undefined {
    return this.#byProject.get(projectId);
  }

  following(store: Pick<ModelPermissionStore, "list" | "find">): TableCache {
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

export interface ModelPermissionContext extends ChangeContext {
  readonly catalogue: { find(id: string): object | undefined };
  readonly modelPermissions: ModelPermissionStore;
  readonly modelPermissionCache: ModelPermissionCache;
  readonly runtime: ClockAndRandom;
}

/** Sets which models a project may call. @throws Refusal 400 for an unknown model. */
export function saveModelPermissions(
  context: ModelPermissionContext,
  request: ChangeRequest,
  projectId: string,
  { mode, model_ids }: ModelPermissionsDraft,
): Promise<ProjectModelPermissions> {
  const { catalogue, modelPermissions, runtime } = context;
  return change(context, request, async (transaction) => {
    for (const [index, id] of model_ids.entries()) {
      if (!catalogue.find(id)) throw invalid(`model_ids.${index}`, `There is no model "${id}".`);
    }
    const permissions = { projectId, mode, modelIds: new Set(model_ids) };
    await modelPermissions.save(transaction, permissions, runtime.clock.nowMs());
    return permissions;
  });
}

/** Removes the restriction, so that the project may call every model again. @throws Refusal 404 if there is none. */
export function deleteModelPermissions(
  context: ModelPermissionContext,
  request: ChangeRequest,
  projectId: string,
): Promise<void> {
  return change(context, request, async (transaction) => {
    findModelPermissions(context.modelPermissionCache, projectId);
    await context.modelPermissions.delete(transaction, projectId);
  });
}

/** @throws Refusal 404 for a project without a restriction. */
export function findModelPermissions(
  cache: ModelPermissionCache,
  projectId: string,
): ProjectModelPermissions {
  const permissions = cache.find(projectId);
  if (permissions) return permissions;
  const message = `The project "${projectId}" has no model permissions: it may call every model.`;
  throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "project_id" });
}
