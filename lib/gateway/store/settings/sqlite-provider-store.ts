import type { ProviderStore } from "../../models/provider-store";
import type { Reads } from "../database";
import { seal, unseal } from "../seal";
import { within } from "../transactions";

/** Stored providers, their keys sealed with `key`, the gateway's secret. */
export function createSqliteProviderStore(
  reads: Reads,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): ProviderStore {
  return {
    async list() {
      const rows = await reads.selectFrom("providers").selectAll().orderBy("created_at_ms").execute();
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        baseUrl: row.base_url,
        apiKey: row.sealed_api_key === null ? null : unseal(row.sealed_api_key, row.id, sealing.key),
        outputLimitField: row.output_limit_field,
        createdAtMs: row.created_at_ms,
      }));
    },
    async insert(transaction, { id, kind, baseUrl: base_url, apiKey, outputLimitField, createdAtMs }) {
      const sealed_api_key = apiKey && seal(apiKey, id, sealing);
      await within(transaction)
        .insertInto("providers")
        .values({
          id,
          kind,
          base_url,
          sealed_api_key,
          created_at_ms: createdAtMs,
          output_limit_field: outputLimitField,
        })
        .execute();
    },
    async delete(transaction, id) {
      await within(transaction).deleteFrom("providers").where("id", "=", id).execute();
    },
    async recordClosing(transaction, { provider, model, closedAtMs: closed_at_ms }) {
      await within(transaction)
        .insertInto("circuit_closings")
        .values({ provider, model, closed_at_ms })
        .onConflict((conflict) => conflict.columns(["provider", "model"]).doUpdateSet({ closed_at_ms }))
        .execute();
    },
  };
}
