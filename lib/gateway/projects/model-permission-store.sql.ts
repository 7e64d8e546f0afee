import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";

/** A project's restriction: only the listed models, or all but the listed ones. */
export interface ProjectModelPermissions {
  readonly projectId: string;
  readonly mode: "allow_list" | "deny_list";
  readonly modelIds: ReadonlySet<string>;
}

export function createModelPermissionStore(reads: Reads) {
  return {
    async list(): Promise<ProjectModelPermissions[]> {
      const rows = await reads.selectFrom("model_permissions").selectAll().execute();
      return rows.map(toRecord);
    },
    /** Null for a project that may call every model. */
    async find(projectId: string): Promise<ProjectModelPermissions | null> {
      const row = await reads
        .selectFrom("model_permissions")
        .selectAll()
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async save(
      transaction: Transaction,
      { projectId: project_id, mode, modelIds }: ProjectModelPermissions,
      updated_at_ms: number,
    ): Promise<void> {
      const values = { mode, model_ids: JSON.stringify([...modelIds]), updated_at_ms };
      await within(transaction)
        .insertInto("model_permissions")
        .values({ project_id, ...values })
        .onConflict((conflict) => conflict.column("project_id").doUpdateSet(values))
        .execute();
    },
    async delete(transaction: Transaction, projectId: string): Promise<void> {
      await within(transaction).deleteFrom("model_permissions").where("project_id", "=", projectId).execute();
    },
  };
}

export type ModelPermissionStore = ReturnType<typeof createModelPermissionStore>;

function toRecord({ project_id, mode, model_ids }: Tables["model_permissions"]): ProjectModelPermissions {
  return { projectId: project_id, mode, modelIds: new Set(JSON.parse(model_ids) as string[]) };
}
