import type { ProviderStore } from "../../models/providers/provider-store";
import type { Secret } from "../../secrets/secret";
import type { Reads } from "../database";
import { SealBrokenError, seal, unseal } from "../seal";
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
        apiKey: row.sealed_api_key === null ? null : openKey(row.id, row.sealed_api_key, sealing.key),
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

/** @throws SealBrokenError that says what to do, since the gateway can't start without the key. */
function openKey(providerId: string, sealedKey: string, key: Uint8Array): Secret {
  try {
    return unseal(sealedKey, providerId, key);
  } catch (cause) {
    const message = `The API key of provider "${providerId}" was encrypted with another GATEHOUSE_SECRET: start with that one.`;
    throw new SealBrokenError(message, { cause });
  }
}
