import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";

/** The limits that were saved for one project and model. */
export interface SavedRateLimit {
  readonly projectId: string;
  readonly model: string;
  readonly values: RateLimitValues;
}

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

export function createRateLimitStore(reads: Reads) {
  return {
    async list(): Promise<SavedRateLimit[]> {
      const rows = await reads.selectFrom("rate_limits").selectAll().execute();
      return rows.map((row) => ({ projectId: row.project_id, model: row.model, values: toValues(row) }));
    },
    /** Null if nothing was saved. */
    async find(projectId: string, model: string): Promise<RateLimitValues | null> {
      const row = await reads
        .selectFrom("rate_limits")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("model", "=", model)
        .executeTakeFirst();
      return row ? toValues(row) : null;
    },
    /**
     * Merges a change into the stored limits, or into `defaults` if none are stored, atomically, so that concurrent
     * changes keep each other's fields.
     * @returns the limits now stored.
     */
    async save(
      transaction: Transaction,
      {
        projectId: project_id,
        model,
        change,
        defaults,
        updatedAtMs: updated_at_ms,
      }: {
        projectId: string;
        model: string;
        change: RateLimitChange;
        defaults: RateLimitValues;
        updatedAtMs: number;
      },
    ): Promise<RateLimitValues> {
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
