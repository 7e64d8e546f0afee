import type { UsageDimension, UsageOrder } from "@/lib/contract/operations/usage-summary";
import type { Nano } from "@/lib/money/amount";

/** Which calls are summed. A field that is absent leaves none out. */
export interface UsageFilter {
  /** Of these projects alone; null for all. */
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  /** Calls that it was the last to be asked for. */
  readonly provider?: string | undefined;
  /** All of these: keys, and members who asked in the console. */
  readonly keyIds?: readonly string[] | undefined;
}

export interface UsageQuestion {
  readonly filter: UsageFilter;
  /** Unix milliseconds, on whole minutes or later than the last call. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How long a bucket is; they begin at its multiples. */
  readonly widthMs: number;
  /** How long before it the stretch is that it is compared with: whole buckets. */
  readonly shiftMs: number;
  readonly groupBy: UsageDimension | null;
  readonly orderBy: UsageOrder;
}

/** See `UsageFigures` of the contract. */
export interface UsageFigures {
  readonly requests: number;
  readonly errors: number;
  readonly refusals: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly amount: Nano;
  readonly durationP50Ms: number | null;
  readonly durationP95Ms: number | null;
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
}

export interface UsageBucket extends UsageFigures {
  readonly startMs: number;
}

export interface UsagePart {
  readonly totals: UsageFigures;
  readonly previousTotals: UsageFigures;
  readonly buckets: readonly UsageBucket[];
}

export interface UsageGroup extends UsagePart {
  readonly id: string | null;
  readonly name: string | null;
}

export interface UsageSummary extends UsagePart {
  /** Of the stretch of the same length before, when they were. */
  readonly previousBuckets: readonly UsageBucket[];
  readonly groups: readonly UsageGroup[];
  readonly rest: (UsagePart & { readonly groups: number }) | null;
  /** Calls that the figures don't hold yet. */
  readonly pendingCalls: number;
}

/** What the calls of one bucket and one group come to. */
export interface UsageRow extends UsageBucket {
  readonly group: string | null;
  readonly groupName: string | null;
}

/** Where a row stands: rows are in the order of their buckets, and in one of their groups, those without one first. */
export interface UsagePlace {
  readonly startMs: number;
  readonly group: string | null;
}

export type UsageRowQuestion = Omit<UsageQuestion, "orderBy" | "shiftMs"> & {
  readonly after: UsagePlace | null;
  readonly limit: number;
};

export interface UsageSummaryReader {
  summarize(question: UsageQuestion): Promise<UsageSummary>;
  /** The rows of a range, after one of them. */
  list(question: UsageRowQuestion): Promise<UsageRow[]>;
}
