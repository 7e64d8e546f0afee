import type {
  LatencyChoice,
  UsageDimension,
  UsageOrder,
} from "@/lib/contract/operations/usage/usage-summary";
import type { Nano } from "@/lib/money/amount";

/** Which calls to sum. An absent field selects all. */
export interface UsageFilter {
  /** Selects these projects; null for all. */
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  /** Calls for which this provider answered, or was the last one tried. */
  readonly provider?: string | undefined;
  /** Selects these keys, and members who called from the console. */
  readonly keyIds?: readonly string[] | undefined;
}

export interface UsageQuery {
  readonly filter: UsageFilter;
  /** Unix milliseconds, on whole minutes or later than the last call. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the range ends now: it then contains all calls from `fromMs` on. */
  readonly isUntilNow?: boolean | undefined;
  /** The width of buckets, which begin at its multiples. */
  readonly widthMs: number;
  /** How long before the range the comparison range begins, in whole buckets; null without a comparison. */
  readonly shiftMs: number | null;
  readonly groupBy: UsageDimension | null;
  readonly orderBy: UsageOrder;
  readonly latencies: LatencyChoice;
  /** The figures of the series that take the place of buckets. */
  readonly series?: readonly FigureName[] | undefined;
}

/** See `UsageFigures` of the contract. */
export interface UsageFigures {
  readonly requests: number;
  readonly errors: number;
  readonly refusals: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly audioPromptTokens: number;
  readonly audioCompletionTokens: number;
  readonly amount: Nano;
  readonly durationP50Ms: number | null;
  readonly durationP95Ms: number | null;
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
}

export type FigureName = keyof UsageFigures;

/** The values of figures in each bucket of a range, oldest first. */
export type UsageSeries = { readonly [Name in FigureName]?: readonly UsageFigures[Name][] };

export interface UsageBucket extends UsageFigures {
  readonly startMs: number;
}

export interface UsagePart {
  readonly totals: UsageFigures;
  /** The totals of the comparison range; null without one. */
  readonly previousTotals: UsageFigures | null;
  readonly buckets: readonly UsageBucket[];
  readonly series?: UsageSeries | undefined;
}

interface UsageProject {
  readonly id: string;
  readonly name: string;
}

interface UsageGroup extends UsagePart {
  readonly id: string | null;
  readonly name: string | null;
  /** The project of a key; null for other groups and for a key of the organization. */
  readonly project: UsageProject | null;
}

export interface UsageSummary extends UsagePart {
  /** The buckets of the comparison range, with their own times; empty without one. */
  readonly previousBuckets: readonly UsageBucket[];
  readonly previousSeries?: UsageSeries | undefined;
  readonly groups: readonly UsageGroup[];
  readonly rest: (UsagePart & { readonly groups: number }) | null;
  /** Calls that the figures don't include yet. */
  readonly pendingCalls: number;
}

/** The figures of one bucket and one group. */
export interface UsageRow extends UsageBucket {
  readonly group: string | null;
  readonly groupName: string | null;
  /** The project of a key; null for other groups and for a key of the organization. */
  readonly project: UsageProject | null;
}

/** A row's position: rows are ordered by bucket and then by group, null first. */
export interface UsageCursor {
  readonly startMs: number;
  readonly group: string | null;
}

export type UsageRowQuery = Omit<UsageQuery, "orderBy" | "shiftMs" | "latencies"> & {
  /** `none` spares reading latencies, which costs more than all other figures together. */
  readonly latencies?: LatencyChoice;
  readonly after: UsageCursor | null;
  readonly limit: number;
};

export interface UsageSummaryReader {
  summarize(query: UsageQuery): Promise<UsageSummary>;
  /** The rows of a range that follow a given one. */
  list(query: UsageRowQuery): Promise<UsageRow[]>;
}
