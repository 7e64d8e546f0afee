import type { Nano } from "@/lib/money/amount";
import type { Bucket } from "./cut-into-buckets";

/** Fields to group sums by. The last five are a charge's price snapshot: nano-units as text, and the unit of `rate`. */
export type GroupField =
  | "project_id"
  | "user_id"
  | "api_key_id"
  | "model"
  /** "true" for lines of batches, otherwise "false". */
  | "batch"
  | "input_per_1m"
  | "output_per_1m"
  | "audio_input_per_1m"
  | "rate"
  | "unit";

/** Which calls to sum. An absent list selects all. */
export interface CallSelection {
  /** Consecutive, each within one multiple of `widthMs`: a minute, an hour or a day. */
  readonly buckets: readonly Bucket[];
  readonly widthMs: number;
  readonly groupBy: readonly GroupField[];
  /**
   * Leaves out calls that were neither charged nor used, and does not separate requests that cost nothing; set for
   * costs.
   */
  readonly chargedOnly: boolean;
  readonly projectIds?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly apiKeyIds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly exceptModels?: readonly string[] | undefined;
  /** True selects lines of batches, false live calls. */
  readonly batch?: boolean | undefined;
  /** Whether to sum `mediaOutput` too, which only the calls themselves contain. */
  readonly countsMade?: boolean;
}

/** The sum of the calls of one bucket and one group. */
export interface CallSum {
  /** The bucket's index in `buckets`. */
  readonly bucket: number;
  /** The values of the group's fields; null if the calls have none. */
  readonly group: Readonly<Partial<Record<GroupField, string | null>>>;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the provider had cached. */
  readonly cachedTokens: number;
  /** The parts of the input and the output that are audio. */
  readonly audioInputTokens: number;
  readonly audioOutputTokens: number;
  readonly amount: Nano;
  /** Absent unless it was asked for. */
  readonly mediaOutput?: MadeSum;
}

/** What calls that are priced by the unit made or read. */
interface MadeSum {
  /** Files of tasks. */
  readonly files: number;
  /** Millionths of characters, seconds and so on; minutes count as seconds. */
  readonly parts: number;
}

export interface UsageReader {
  /** Sums the calls that reached a provider, by their time of admission; ordered by bucket, then by group. */
  sumCalls(selection: CallSelection): Promise<CallSum[]>;
}

export interface SelectionReader {
  /** Answers a selection from the precomputed sums; null if only the calls themselves can. */
  sumSelection(selection: CallSelection): Promise<CallSum[] | null>;
}

/** Answers from the precomputed sums if they suffice, and otherwise call by call. */
export function bySumsOrCalls(sums: SelectionReader, calls: UsageReader): UsageReader {
  return {
    sumCalls: async (selection) => (await sums.sumSelection(selection)) ?? (await calls.sumCalls(selection)),
  };
}
