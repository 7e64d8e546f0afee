import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";
import type { ModelPermissionStore, ProjectModelPermissions } from "./model-permission-store";

export function createSqliteModelPermissionStore(reads: Reads): ModelPermissionStore {
  return {
    async list() {
      const rows = await reads.selectFrom("model_permissions").selectAll().execute();
      return rows.map(toRecord);
    },
    async find(projectId) {
      const row = await reads
        .selectFrom("model_permissions")
        .selectAll()
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async save(transaction, { projectId: project_id, mode, modelIds }, updated_at_ms) {
      const values = { mode, model_ids: JSON.stringify([...modelIds]), updated_at_ms };
      await within(transaction)
        .insertInto("model_permissions")
        .values({ project_id, ...values })
        .onConflict((conflict) => conflict.column("project_id").doUpdateSet(values))
        .execute();
    },
    async delete(transaction, projectId) {
      await within(transaction).deleteFrom("model_permissions").where("project_id", "=", projectId).execute();
    },
  };
}

function toRecord({ project_id, mode, model_ids }: Tables["model_permissions"]): ProjectModelPermissions {
  return { projectId: project_id, mode, modelIds: new Set(JSON.parse(model_ids) as string[]) };
}
