import type { RateLimitChange } from "@/lib/contract/operations/rate-limits";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Transaction } from "../changes/transaction";

/** The limits that were saved for one project and model. */
export interface SavedRateLimit {
  readonly projectId: string;
  readonly model: string;
  readonly values: RateLimitValues;
}

export interface RateLimitStore {
  list(): Promise<SavedRateLimit[]>;
  /** Null where nothing was saved. */
  find(projectId: string, model: string): Promise<RateLimitValues | null>;
  /**
   * Puts a change over what is stored, or over `defaults` where nothing is, in one step: of two changes at the same
   * time neither undoes the other's fields. @returns the limits that are stored now.
   */
  save(
    transaction: Transaction,
    limit: {
      projectId: string;
      model: string;
      change: RateLimitChange;
      defaults: RateLimitValues;
      updatedAtMs: number;
    },
  ): Promise<RateLimitValues>;
}
