import type { OmittableField } from "@/lib/contract/calls/omittable-fields";
import type { HostedKind } from "@/lib/contract/calls/provider-kinds";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import type { OutputLimitField } from "@/lib/contract/operations/models/providers";
import type { Transaction } from "../../changes/transaction";
import type { Secret } from "../../secrets/secret";

/** A provider added in the console. */
export interface StoredProvider {
  readonly id: string;
  readonly kind: HostedKind;
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** Null: the default of its kind. */
  readonly outputLimitField: OutputLimitField | null;
  readonly timeouts: ProviderTimeouts;
  readonly refusedFields: readonly OmittableField[];
  readonly createdAtMs: number;
}

export type ProviderSettings = Pick<StoredProvider, "outputLimitField" | "timeouts" | "refusedFields">;

/** Stores providers, with their keys encrypted. */
export interface ProviderStore {
  /** Oldest first. @throws if a key was encrypted with another secret. */
  list(): Promise<StoredProvider[]>;
  insert(transaction: Transaction, provider: StoredProvider): Promise<void>;
  /** Replaces the provider's settings. */
  saveSettings(transaction: Transaction, id: string, settings: ProviderSettings): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Records that an administrator closed a circuit breaker. `model` is the model's name at the provider. */
  recordClosing(
    transaction: Transaction,
    closing: { readonly provider: string; readonly model: string; readonly closedAtMs: number },
  ): Promise<void>;
}
