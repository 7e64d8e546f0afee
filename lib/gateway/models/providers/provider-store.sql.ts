import type {
  HostedKind,
  OmittableField,
  OutputLimitField,
  ProviderAuth,
  ProviderProtocol,
} from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import { SealBrokenError, type Sealing, seal, unseal } from "../../database/seal";
import type { Secret } from "../../secrets/secret";
import type { ProviderKey } from "./provider-directory";

/** A provider added in the console. */
export interface StoredProvider {
  readonly id: string;
  readonly kind: HostedKind;
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly keys: readonly ProviderKey[];
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

type ProviderSettings = Omit<StoredProvider, "id" | "kind" | "baseUrl" | "apiKey" | "keys" | "createdAtMs">;

/** Stored providers, their keys sealed with `key`, the gateway's secret. */
export function createProviderStore(reads: Reads, sealing: Sealing) {
  return {
    /** Oldest first. @throws if a key was encrypted with another secret. */
    async list(): Promise<StoredProvider[]> {
      const rows = await reads.selectFrom("providers").selectAll().orderBy("created_at_ms").execute();
      return rows.map(({ id, ...row }) => ({
        id,
        kind: row.kind,
        baseUrl: row.base_url,
        ...openKeys({ id, ...row }, sealing.key),
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
      { id, kind, baseUrl: base_url, apiKey: _first, keys, createdAtMs, ...settings }: StoredProvider,
    ): Promise<void> {
      const sealed = sealKeys(id, keys, sealing);
      await within(transaction)
        .insertInto("providers")
        .values({ id, kind, base_url, ...sealed, created_at_ms: createdAtMs, ...toColumns(settings) })
        .execute();
    },
    /** Replaces the provider's keys. */
    async saveKeys(transaction: Transaction, id: string, keys: readonly ProviderKey[]): Promise<void> {
      const sealed = sealKeys(id, keys, sealing);
      await within(transaction).updateTable("providers").set(sealed).where("id", "=", id).execute();
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

type SealedKeys = Pick<Tables["providers"], "sealed_api_key"> & { readonly sealed_api_keys: string | null };

/** The first key also stands alone, where versions read it that know one key. */
function sealKeys(id: string, keys: readonly ProviderKey[], sealing: Sealing): SealedKeys {
  const sealed = keys.map((key) => [key.id, seal(key.secret, id, sealing)] as const);
  const sealed_api_keys = sealed.length === 0 ? null : JSON.stringify(Object.fromEntries(sealed));
  return { sealed_api_key: sealed[0]?.[1] ?? null, sealed_api_keys };
}

function openKeys(
  { id, sealed_api_key: first, sealed_api_keys: all }: SealedKeys & { readonly id: string },
  key: Uint8Array,
): Pick<StoredProvider, "apiKey" | "keys"> {
  const sealed: Record<string, string> = all ? JSON.parse(all) : first ? { key_1: first } : {};
  const keys = Object.entries(sealed).map(([keyId, text]) => ({ id: keyId, secret: openKey(id, text, key) }));
  return { apiKey: keys[0]?.secret ?? null, keys };
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
