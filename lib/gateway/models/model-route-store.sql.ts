import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";

/** Changed routes, which override those of the model's definition. */
interface StoredRoutes {
  readonly model: string;
  readonly routes: readonly ModelRoute[];
  readonly updatedAtMs: number;
}

export function createModelRouteStore(reads: Reads) {
  return {
    async list(): Promise<StoredRoutes[]> {
      const rows = await reads.selectFrom("model_routes").selectAll().execute();
      return rows.map(({ model, routes, updated_at_ms: updatedAtMs }) => ({
        model,
        routes: JSON.parse(routes) as ModelRoute[],
        updatedAtMs,
      }));
    },
    async save(
      transaction: Transaction,
      { model, routes, updatedAtMs: updated_at_ms }: StoredRoutes,
    ): Promise<void> {
      const columns = { routes: JSON.stringify(routes), updated_at_ms };
      await within(transaction)
        .insertInto("model_routes")
        .values({ model, ...columns })
        .onConflict((row) => row.column("model").doUpdateSet(columns))
        .execute();
    },
    /** Gives a model the routes of its definition again. */
    async delete(transaction: Transaction, model: string): Promise<void> {
      await within(transaction).deleteFrom("model_routes").where("model", "=", model).execute();
    },
  };
}
