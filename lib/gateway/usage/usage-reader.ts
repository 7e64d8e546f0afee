import type { Nano } from "@/lib/money/amount";
import type { Bucket } from "./cut-into-buckets";

/** What sums can be told apart by. The last three are a charge's price snapshot: nano-units as text. */
export type GroupField =
  | "project_id"
  | "user_id"
  | "api_key_id"
  | "model"
  | "input_per_1m"
  | "output_per_1m"
  | "rate";

/** Which calls are summed; a list that is absent leaves none out. */
export interface CallSelection {
  /** One after the other without a gap, each within one of the multiples of `widthMs`: a minute, an hour or a day. */
  readonly buckets: readonly Bucket[];
  readonly widthMs: number;
  readonly groupBy: readonly GroupField[];
  /**
   * For what calls cost: what was neither charged nor used is left out, and how many requests there were is not told apart from
   * those that cost nothing.
   */
  readonly chargedOnly: boolean;
  readonly projectIds?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly apiKeyIds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly exceptModels?: readonly string[] | undefined;
}

/** What the calls of one bucket and one group come to. */
export interface CallSum {
  /** Its place in `buckets`. */
  readonly bucket: number;
  /** Of the fields grouped by; null where the calls have none. */
  readonly group: Readonly<Partial<Record<GroupField, string | null>>>;
  readonly requests: number;
  /** Tokens of a chat model; of another family, what goes in and comes out as it is priced. */
  readonly inputUnits: number;
  readonly outputUnits: number;
  readonly amount: Nano;
}

export interface UsageReader {
  /** Sums the calls that reached a provider, by the time they were admitted; ordered by bucket, then by group. */
  sumCalls(selection: CallSelection): Promise<CallSum[]>;
}

export interface SelectionReader {
  /** What the sums of calls tell of a selection; null where only the calls themselves do. */
  sumSelection(selection: CallSelection): Promise<CallSum[] | null>;
}

/** By the sums of calls where they tell what is asked, and otherwise call by call. */
export function bySumsOrCalls(sums: SelectionReader, calls: UsageReader): UsageReader {
  return {
    sumCalls: async (selection) => (await sums.sumSelection(selection)) ?? (await calls.sumCalls(selection)),
  };
}
