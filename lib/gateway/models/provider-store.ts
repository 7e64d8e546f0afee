import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { HostedKind } from "@/lib/contract/provider-kinds";
import type { Transaction } from "../changes/transaction";
import type { Secret } from "../secrets/secret";

/** A provider added in the console. */
export interface StoredProvider {
  readonly id: string;
  readonly kind: HostedKind;
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** Null: its kind's usual one. */
  readonly outputLimitField: OutputLimitField | null;
  readonly createdAtMs: number;
}

/** Keeps providers, their keys encrypted. */
export interface ProviderStore {
  /** Oldest first. @throws when a key was encrypted with another secret. */
  list(): Promise<StoredProvider[]>;
  insert(transaction: Transaction, provider: StoredProvider): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
}
