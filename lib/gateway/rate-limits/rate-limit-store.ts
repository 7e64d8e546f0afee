import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import type { Transaction } from "../changes/transaction";

/** The limits that were saved for one project and model. */
export interface SavedRateLimit {
  readonly projectId: string;
  readonly model: string;
  readonly values: RateLimitValues;
}

export interface RateLimitStore {
  list(): Promise<SavedRateLimit[]>;
  /** Null if nothing was saved. */
  find(projectId: string, model: string): Promise<RateLimitValues | null>;
  /**
   * Merges a change into the stored limits, or into `defaults` if none are stored, atomically, so that concurrent
   * changes keep each other's fields.
   * @returns the limits now stored.
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
