"use client";

import { useSearchParams } from "next/navigation";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { ranges } from "@/components/ui/filters/time-range";
import { Skeleton } from "@/components/ui/states/skeleton";
import { formatClock } from "@/components/ui/time/describe-time";
import { useShownZone } from "@/components/ui/time/shown-time";
import { useNow } from "@/components/ui/time/use-now";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatPercent } from "@/components/ui/values/percent";
import { formatRoundedDuration, formatShortMoney } from "@/components/ui/values/write-figures";
import { listBucketTimes } from "@/components/usage/build-series";
import { compareMonths } from "@/components/usage/compare-months";
import { listFigures } from "@/components/usage/list-figures";
import {
  type OverviewRange,
  parseOverviewRange,
  recentUsageRead,
  usageReads,
} from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import { DAY_MS, DAY_S } from "@/lib/contract/durations";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, formatCents, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { FigureCard } from "./figure-card";

const POLL_MS = 30_000;

/** This month's spend, and the requests and refusals of the range in the address. */
export function SpendAndRequests({ openedAt, seesLimit }: { openedAt: number; seesLimit: boolean }) {
  const { month, monthBefore } = usageReads(openedAt);
  const range = parseOverviewRange(useSearchParams().get("range") ?? "");
  const recent = useRead(...recentUsageRead(range, openedAt), { refetchInterval: POLL_MS });
  const monthRead = useRead(...month, { refetchInterval: POLL_MS });
  const before = useRead(...monthBefore).data;
  const skeleton = <Skeleton className="h-44 w-full max-sm:h-30 rounded-md" />;
  return (
    <>
      <ReadState read={monthRead} to="see this month’s spend" skeleton={skeleton}>
        {(summary) => <Spent summary={summary} before={before} openedAt={openedAt} seesLimit={seesLimit} />}
      </ReadState>
      {/* Two figures are of this read: its error takes the place of both. */}
      <div className={recent.error && !recent.data ? "sm:col-span-2" : "contents"}>
        <ReadState
          read={recent}
          to={`see the ${describeRange(range)}`}
          skeleton={
            <>
              {skeleton}
              {skeleton}
            </>
          }
        >
          {(summary) => (
            <>
              <Requests summary={summary} range={range} />
              <Refused summary={summary} range={range} />
            </>
          )}
        </ReadState>
      </div>
    </>
  );
}

type SpentProps = {
  summary: UsageSummary;
  before: UsageSummary | undefined;
  openedAt: number;
  seesLimit: boolean;
};

function Spent({ summary, before, openedAt, seesLimit }: SpentProps) {
  const limit = useRead("retrieveSpendLimit", undefined, { enabled: seesLimit }).data;
  const { totals, currency } = summary;
  const comparison = before && compareMonths(summary, before);
  const times = listBucketTimes(summary);
  const today = listFigures(summary.series).filter((_, index) => (times[index] ?? 0) + DAY_S > openedAt);
  const spentToday = formatAmount(
    today.reduce((sum, { amount }) => toNano(sum + parseCheckedAmount(amount)), ZERO),
  );
  const limitText = limit && `limit ${formatShortMoney(formatCents(limit.threshold_amount))}`;
  return (
    <FigureCard
      label="Spent this month (UTC)"
      href={paths.usage({ range: "30d" })}
      values={listValues(summary, ({ amount }) => Number(parseCheckedAmount(amount)))}
      note={
        <>
          <span className="block">
            {[`Today ${formatShortMoney(spentToday)}`, limitText].filter((part) => part).join(" · ")}
          </span>
          {comparison && <span className="block first-letter:uppercase">{comparison.brief}</span>}
        </>
      }
    >
      {formatShortMoney(totals.amount)}{" "}
      <span className="text-[0.8em] font-normal text-muted">{currency}</span>
    </FigureCard>
  );
}

type RecentProps = { summary: UsageSummary; range: OverviewRange };

/** "last 24 hours". */
const describeRange = (range: OverviewRange) => ranges[range].label.toLowerCase();

function Requests({ summary, range }: RecentProps) {
  const { requests, duration_p95_ms, first_byte_p50_ms } = summary.totals;
  const latency = [
    duration_p95_ms !== null && `p95 ${formatRoundedDuration(duration_p95_ms)}`,
    first_byte_p50_ms !== null && `first byte ${formatRoundedDuration(first_byte_p50_ms)}`,
  ].filter((part) => part !== false);
  return (
    <FigureCard
      label={`Requests, ${describeRange(range)}`}
      href={paths.usage({ range, metric: "requests" })}
      values={listValues(summary, (bucket) => bucket.requests)}
      note={latency.length > 0 ? latency.join(" · ") : "None yet"}
    >
      {formatCount(requests)}
    </FigureCard>
  );
}

function Refused({ summary, range }: RecentProps) {
  const { requests, refusals, errors } = summary.totals;
  // With the current bucket: what is refused right now has to be seen.
  const counts = listFigures(summary.series).map((bucket) => bucket.refusals);
  const refused =
    refusals === 0
      ? "No call was refused"
      : `${formatPercent(refusals / (requests + refusals), 1)} of all calls`;
  return (
    <FigureCard
      label={`Refused, ${describeRange(range)}`}
      href={paths.requests({ range, outcome: "refused" })}
      tone={refusals > 0 ? "danger" : "accent"}
      values={counts}
      note={
        <>
          <span className="block">
            {refused}
            {errors > 0 && ` · ${formatCount(errors)} failed`}
          </span>
          <BurstNote summary={summary} counts={counts} />
        </>
      }
    >
      {formatCount(refusals)}
    </FigureCard>
  );
}

/** Leaves out the current bucket, which would look like a drop. */
function listValues(summary: UsageSummary, readValue: (figures: UsageFigures) => number): number[] {
  const times = listBucketTimes(summary);
  const isWhole = (time = 0) => time + summary.bucket_seconds <= summary.end_time;
  return listFigures(summary.series)
    .filter((_, index) => isWhole(times[index]))
    .map(readValue);
}

type BurstNoteProps = { summary: UsageSummary; counts: readonly number[] };

/**
 * Says when most refusals of the range were: "214 of them 14:00 to 15:00". Renders nothing if they are spread over it.
 */
function BurstNote({ summary, counts }: BurstNoteProps) {
  const zone = useShownZone();
  const now = useNow();
  const burst = findBurst(counts);
  const times = listBucketTimes(summary);
  const from = burst && times[burst.first];
  if (!burst || from === undefined || from === null) return null;
  const seconds = summary.bucket_seconds;
  const isByDay = seconds * 1000 >= DAY_MS;
  const end = (times[burst.last] ?? from) + (isByDay ? 0 : seconds);
  const isStillOn = burst.last === times.length - 1;
  const format = (at: number) => (isByDay ? utcDay.format(at * 1000) : formatClock(at, now, zone, "minutes"));
  const isOneDay = isByDay && burst.first === burst.last;
  return (
    <span className="block">
      {formatCount(burst.count)} of them{" "}
      {isOneDay
        ? `on ${format(from)}`
        : isStillOn
          ? `since ${format(from)}`
          : `${format(from)} to ${format(end)}`}
    </span>
  );
}

const utcDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A run of neighboring buckets, by their positions. */
interface Burst {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The number of refusals from which an hour counts as a burst. */
const FEWEST = 10;
/** A burst has at least this share of all, within at most this share of the time. */
const SHARE = 0.8;
const WIDEST = 1 / 8;

/** Returns the shortest run of buckets that has most of the counts; null if they are few or spread out. */
export function findBurst(counts: readonly number[]): Burst | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all < FEWEST) return null;
  for (let width = 1; width <= counts.length * WIDEST; width++) {
    const sums = counts
      .slice(width - 1)
      .map((_, first) => counts.slice(first, first + width).reduce((sum, count) => sum + count, 0));
    const count = Math.max(...sums);
    const first = sums.indexOf(count);
    if (count >= all * SHARE) return { first, last: first + width - 1, count };
  }
  return null;
}
