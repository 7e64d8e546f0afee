import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { Secret } from "../ports/secret";

/** A provider added in the console. */
export interface StoredProvider {
  readonly id: string;
  readonly kind: "openai";
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly outputLimitField: OutputLimitField;
  readonly createdAtMs: number;
}

/** Keeps providers, their keys encrypted. */
export interface ProviderStore {
  /** Oldest first. @throws when a key was encrypted with another secret. */
  list(): Promise<StoredProvider[]>;
  insert(provider: StoredProvider): Promise<void>;
  delete(id: string): Promise<void>;
}
