import type { OmittableField } from "@/lib/contract/calls/omittable-fields";
import type { HostedKind } from "@/lib/contract/calls/provider-kinds";
import type { ProviderAuth, ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import type { OutputLimitField } from "@/lib/contract/operations/models/providers";
import type { Transaction } from "../../changes/transaction";
import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import { SealBrokenError, seal, unseal } from "../../database/seal";
import type { Secret } from "../../secrets/secret";

/** A provider added in the console. */
export interface StoredProvider {
  readonly id: string;
  readonly kind: HostedKind;
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly protocols: readonly ProviderProtocol[];
  readonly auth: ProviderAuth;
  /** Null where it is `baseUrl`. */
  readonly messagesBaseUrl: string | null;
  /** Null: the default of its kind. */
  readonly outputLimitField: OutputLimitField | null;
  readonly timeouts: ProviderTimeouts;
  readonly refusedFields: readonly OmittableField[];
  readonly createdAtMs: number;
}

type ProviderSettings = Omit<StoredProvider, "id" | "kind" | "baseUrl" | "apiKey" | "createdAtMs">;

/** Stored providers, their keys sealed with `key`, the gateway's secret. */
export function createProviderStore(
  reads: Reads,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
) {
  return {
    /** Oldest first. @throws if a key was encrypted with another secret. */
    async list(): Promise<StoredProvider[]> {
      const rows = await reads.selectFrom("providers").selectAll().orderBy("created_at_ms").execute();
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        baseUrl: row.base_url,
        apiKey: row.sealed_api_key === null ? null : openKey(row.id, row.sealed_api_key, sealing.key),
        protocols: JSON.parse(row.protocols),
        auth: row.auth,
        messagesBaseUrl: row.messages_base_url,
        outputLimitField: row.output_limit_field,
        timeouts: pickTimeouts(row),
        refusedFields: JSON.parse(row.refused_fields),
        createdAtMs: row.created_at_ms,
      }));
    },
    async insert(
      transaction: Transaction,
      { id, kind, baseUrl: base_url, apiKey, createdAtMs, ...settings }: StoredProvider,
    ): Promise<void> {
      const sealed_api_key = apiKey && seal(apiKey, id, sealing);
      await within(transaction)
        .insertInto("providers")
        .values({ id, kind, base_url, sealed_api_key, created_at_ms: createdAtMs, ...toColumns(settings) })
        .execute();
    },
    /** Replaces the provider's settings. */
    async saveSettings(transaction: Transaction, id: string, settings: ProviderSettings): Promise<void> {
      await within(transaction)
        .updateTable("providers")
        .set(toColumns(settings))
        .where("id", "=", id)
        .execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("providers").where("id", "=", id).execute();
    },
    /** Records that an administrator closed a circuit breaker. `model` is the model's name at the provider. */
    async recordClosing(
      transaction: Transaction,
      {
        provider,
        model,
        closedAtMs: closed_at_ms,
      }: { readonly provider: string; readonly model: string; readonly closedAtMs: number },
    ): Promise<void> {
      await within(transaction)
        .insertInto("circuit_closings")
        .values({ provider, model, closed_at_ms })
        .onConflict((conflict) => conflict.columns(["provider", "model"]).doUpdateSet({ closed_at_ms }))
        .execute();
    },
  };
}

export type ProviderStore = ReturnType<typeof createProviderStore>;

type SettingsColumns = Pick<
  Tables["providers"],
  | keyof Required<ProviderTimeouts>
  | "protocols"
  | "auth"
  | "messages_base_url"
  | "output_limit_field"
  | "refused_fields"
>;

function pickTimeouts(row: Pick<SettingsColumns, keyof Required<ProviderTimeouts>>): ProviderTimeouts {
  const { connect_seconds, whole_answer_seconds, first_event_seconds, idle_seconds, total_seconds } = row;
  return { connect_seconds, whole_answer_seconds, first_event_seconds, idle_seconds, total_seconds };
}

function toColumns({ timeouts, ...settings }: ProviderSettings): SettingsColumns {
  return {
    protocols: JSON.stringify(settings.protocols),
    auth: settings.auth,
    messages_base_url: settings.messagesBaseUrl,
    output_limit_field: settings.outputLimitField,
    connect_seconds: timeouts.connect_seconds ?? null,
    whole_answer_seconds: timeouts.whole_answer_seconds ?? null,
    first_event_seconds: timeouts.first_event_seconds ?? null,
    idle_seconds: timeouts.idle_seconds ?? null,
    total_seconds: timeouts.total_seconds ?? null,
    refused_fields: JSON.stringify(settings.refusedFields),
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
