import type { ModelPermissionStore } from "../projects/model-permission-store";
import type { Database } from "./database";

export function createSqliteModelPermissionStore(database: Database): ModelPermissionStore {
  return {
    async list() {
      const rows = await database.selectFrom("model_permissions").selectAll().execute();
      return rows.map(({ project_id: projectId, mode, model_ids }) => ({
        projectId,
        mode,
        modelIds: new Set(JSON.parse(model_ids) as string[]),
      }));
    },
    async save({ projectId: project_id, mode, modelIds }, updated_at_ms) {
      const values = { mode, model_ids: JSON.stringify([...modelIds]), updated_at_ms };
      await database
        .insertInto("model_permissions")
        .values({ project_id, ...values })
        .onConflict((stored) => stored.column("project_id").doUpdateSet(values))
        .execute();
    },
    async delete(projectId) {
      await database.deleteFrom("model_permissions").where("project_id", "=", projectId).execute();
    },
  };
}
