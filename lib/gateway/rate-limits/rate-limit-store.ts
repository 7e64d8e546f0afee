import type { RateLimitChange } from "@/lib/contract/operations/rate-limits";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { SavedRateLimit } from "./limit-book";

export interface RateLimitStore {
  list(): Promise<SavedRateLimit[]>;
  /**
   * Puts a change over what is stored, or over `defaults` where nothing is, in one step: of two changes at the same
   * time neither undoes the other's fields. @returns the limits that are stored now.
   */
  save(limit: {
    projectId: string;
    model: string;
    change: RateLimitChange;
    defaults: RateLimitValues;
    updatedAtMs: number;
  }): Promise<RateLimitValues>;
}
