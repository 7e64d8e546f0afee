import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";
import type { RateLimitStore } from "./rate-limit-store";

export function createSqliteRateLimitStore(reads: Reads): RateLimitStore {
  return {
    async list() {
      const rows = await reads.selectFrom("rate_limits").selectAll().execute();
      return rows.map((row) => ({ projectId: row.project_id, model: row.model, values: toValues(row) }));
    },
    async find(projectId, model) {
      const row = await reads
        .selectFrom("rate_limits")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("model", "=", model)
        .executeTakeFirst();
      return row ? toValues(row) : null;
    },
    async save(transaction, { projectId: project_id, model, change, defaults, updatedAtMs: updated_at_ms }) {
      const row = await within(transaction)
        .insertInto("rate_limits")
        .values({ project_id, model, ...defaults, ...change, updated_at_ms })
        .onConflict((conflict) =>
          conflict.columns(["project_id", "model"]).doUpdateSet({ ...change, updated_at_ms }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toValues(row);
    },
  };
}

function toValues(row: Tables["rate_limits"]): RateLimitValues {
  const { project_id: _project, model: _model, updated_at_ms: _updated, ...values } = row;
  return values;
}
