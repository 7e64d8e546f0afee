import type { RateLimitField } from "@/lib/contract/rate-limit-table";

/** Whose limits. */
export interface LimitedPair {
  readonly projectId: string;
  readonly model: string;
}

/** What counts in each limit now. */
export interface PairUses extends LimitedPair {
  readonly used: Readonly<Record<RateLimitField, number>>;
}

/** The most that was seen in use of one limit. */
export interface LimitPeak extends LimitedPair {
  readonly field: RateLimitField;
  readonly peak: number;
}

/** What was kept of one limit: its peaks, and how often it refused. */
export interface LimitPast extends LimitedPair {
  readonly field: RateLimitField;
  readonly peakOfDay: number;
  readonly peakOfWeek: number;
  readonly refusalsOfDay: number;
  readonly refusalsOfWeek: number;
}

/** Where peaks are kept and refusals are summed, on a thread that keeps no call waiting. */
export interface LimitUseStore {
  /** Keeps what is higher than what was kept of the hour and the day of `atMs`. What can't be written is kept another time. */
  keepPeaks(atMs: number, peaks: readonly LimitPeak[]): void;
  /** Of the last 24 hours and 7 days, in these projects, or in all for null. Limits that were never used are left out. */
  pastOf(projectIds: readonly string[] | null, nowMs: number): Promise<LimitPast[]>;
}

/** How much of each limit is used, as admission counts it. */
export interface LimitWindows {
  /** Those that something was let through for since this process began, or that still count from before. */
  touched(): readonly LimitedPair[];
  usesOf(pairs: readonly LimitedPair[]): readonly PairUses[] | Promise<readonly PairUses[]>;
}

/** The share of a limit that is used: 1 or more where it is used up; null where there is no limit. */
export function shareOf(max: number | null, used: number): number | null {
  if (max === null) return null;
  return max === 0 ? 1 : used / max;
}
