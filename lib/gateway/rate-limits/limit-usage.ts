import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";

/** The project and model that limits apply to. */
export interface ProjectModelPair {
  readonly projectId: string;
  readonly model: string;
}

/** The present use of each limit. */
export interface PairUsage extends ProjectModelPair {
  readonly used: Readonly<Record<RateLimitField, number>>;
}

/** The highest observed use of one limit. */
export interface LimitPeak extends ProjectModelPair {
  readonly field: RateLimitField;
  readonly peak: number;
}

/** The stored history of one limit: its peaks and its refusals. */
export interface LimitHistory extends ProjectModelPair {
  readonly field: RateLimitField;
  readonly dayPeak: number;
  readonly weekPeak: number;
  readonly dayRefusals: number;
  readonly weekRefusals: number;
}

/** The use of one limit within the last 24 hours: its highest use, and how often it refused. */
export interface LimitDay extends LimitPeak {
  readonly refusals: number;
}

/** Stores peaks and sums refusals, on a separate thread, so that no call waits for it. */
export interface LimitUsageStore {
  /**
   * Stores peaks that exceed the stored ones of the hour and the day of `atMs`. Retries later if the store is busy.
   */
  savePeaks(atMs: number, peaks: readonly LimitPeak[]): void;
  /**
   * Peaks and refusals of the last 24 hours and 7 days in these projects, or in all for null. Unused limits are left
   * out.
   */
  readHistory(projectIds: readonly string[] | null, nowMs: number): Promise<LimitHistory[]>;
  /** The same of the last 24 hours alone, which takes half as long. */
  readDay(projectIds: readonly string[] | null, nowMs: number): Promise<LimitDay[]>;
}

/** The present use of limits, as admission counts it. */
export interface LimitWindows {
  /** The pairs for which a call was admitted since this process began, or for which earlier calls still count. */
  touched(): readonly ProjectModelPair[];
  readUsage(pairs: readonly ProjectModelPair[]): readonly PairUsage[] | Promise<readonly PairUsage[]>;
}
