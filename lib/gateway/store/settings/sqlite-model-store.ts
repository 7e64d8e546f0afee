import type { ModelRoute } from "@/lib/contract/operations/models";
import type { ModelStore, StoredModel } from "../../models/model-store";
import type { Reads } from "../database";
import type { Tables } from "../schema";
import { within } from "../transactions";

export function createSqliteModelStore(reads: Reads): ModelStore {
  return {
    async list() {
      const rows = await reads.selectFrom("models").selectAll().orderBy("created_at_ms").execute();
      return rows.map(toStored);
    },
    async listPrices() {
      const rows = await reads.selectFrom("model_prices").selectAll().execute();
      return rows.map(({ model, rate, input_per_1m, output_per_1m, updated_at_ms }) => ({
        model,
        rate,
        price: { input_per_1m, output_per_1m },
        updatedAtMs: updated_at_ms,
      }));
    },
    async insert(
      transaction,
      { id, family, rate, price, max_output_tokens, context_window = null, routes, createdAtMs },
    ) {
      const values = { id, family, rate, ...price, max_output_tokens, context_window };
      await within(transaction)
        .insertInto("models")
        .values({ ...values, routes: JSON.stringify(routes), created_at_ms: createdAtMs })
        .execute();
    },
    async savePrice(transaction, { model, rate, price, updatedAtMs: updated_at_ms }) {
      const changed = { rate, ...price, updated_at_ms };
      await within(transaction)
        .insertInto("model_prices")
        .values({ model, ...changed })
        .onConflict((row) => row.column("model").doUpdateSet(changed))
        .execute();
    },
  };
}

function toStored(row: Tables["models"]): StoredModel {
  const { id, family, rate, input_per_1m, output_per_1m, max_output_tokens } = row;
  const routes = JSON.parse(row.routes) as ModelRoute[];
  const price = { input_per_1m, output_per_1m };
  return {
    id,
    family,
    rate,
    price,
    max_output_tokens,
    ...(row.context_window !== null && { context_window: row.context_window }),
    routes,
    createdAtMs: row.created_at_ms,
  };
}
