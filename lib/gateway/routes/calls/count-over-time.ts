import { requestOutcomes } from "@/lib/contract/calls/request-outcomes";
import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";
import type { HistogramQuery, RequestHistogram } from "@/lib/contract/operations/calls/requests";
import { formatAmount, toNano, ZERO } from "@/lib/money/amount";
import type { ClockAndRandom } from "../../clock";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import type { RequestCount, RequestFilter } from "../../log/requests/request-record";

interface Context {
  readonly requests: Pick<RequestLogReader, "count" | "firstCallMs">;
  readonly runtime: ClockAndRandom;
  readonly organization: { readonly currency: string };
}

/** Possible bucket widths in seconds; the first one that keeps the number of buckets within its maximum is used. */
const WIDTHS = [
  MINUTE_S,
  5 * MINUTE_S,
  15 * MINUTE_S,
  HOUR_S,
  2 * HOUR_S,
  8 * HOUR_S,
  DAY_S,
  7 * DAY_S,
  28 * DAY_S,
];
const MAX_BUCKETS = 100;

/** Counts the calls of a filter over its time range, or from the first call until now. */
export async function countOverTime(
  { requests, runtime, organization }: Context,
  filter: RequestFilter,
  { start_time, end_time }: HistogramQuery,
): Promise<RequestHistogram> {
  const now = Math.floor(runtime.clock.nowMs() / 1000) + 1;
  const end = Math.max(1, end_time ?? now);
  const first = start_time ?? Math.floor(((await requests.firstCallMs()) ?? (end - DAY_S) * 1000) / 1000);
  const start = Math.max(0, Math.min(first, end - 1));
  const width = WIDTHS.find((seconds) => (end - start) / seconds <= MAX_BUCKETS) ?? 28 * DAY_S;
  const span = { fromMs: start * 1000, toMs: end * 1000, widthMs: width * 1000 };
  const timeline = await requests.count(filter, span);
  const seconds = (timeline?.widthMs ?? span.widthMs) / 1000;
  const counts = timeline?.counts ?? [];
  const starts = [...new Set(counts.map(({ startMs }) => startMs))].toSorted((one, other) => one - other);
  return {
    object: "request.histogram",
    start_time: start - (start % seconds),
    end_time: end,
    bucket_seconds: seconds,
    buckets: starts.map((startMs) => ({
      start_time: startMs / 1000,
      ...byOutcome(counts.filter((count) => count.startMs === startMs)),
    })),
    totals: {
      ...byOutcome(counts),
      amount: formatAmount(counts.reduce((sum, { amount }) => toNano(sum + amount), ZERO)),
    },
    currency: organization.currency,
    is_counted: timeline !== null,
  };
}

type Outcomes = Record<(typeof requestOutcomes)[number], number>;

function byOutcome(counts: readonly RequestCount[]): Outcomes {
  const sums = Object.fromEntries(requestOutcomes.map((outcome) => [outcome, 0])) as Outcomes;
  for (const { outcome, calls } of counts) sums[outcome] += calls;
  return sums;
}
