"use client";

import { useRead } from "@/components/queries/reads/use-read";
import type { RankedBar } from "@/components/ui/chart/ranked-bars";
import { RankedBars } from "@/components/ui/chart/ranked-bars";
import { Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { ClockTime } from "@/components/ui/time/clock-time";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import {
  limitWindows,
  type Measure,
  type RateLimitField,
  rateLimitFields,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import type { LoggedRequest, RequestReceipt } from "@/lib/contract/operations/calls/requests";

const MOST_CALLS = 200;

/**
 * The calls that used the refusing limit, by key. Renders nothing for other receipts, or if the calls can't be listed.
 */
export function LimitUsers({ receipt: { request, checks } }: { receipt: RequestReceipt }) {
  const decider = checks.find(({ verdict }) => verdict === "refused");
  const field = rateLimitFields.find((known) => known === decider?.check);
  const window = decider?.window;
  if (!field || !decider || (window !== "minute" && window !== "day")) return null;
  if (decider.value === "0" || decider.limit === "0") return null;
  const from = request.created_at - limitWindows[window].ms / 1000;
  const { project_id, model } = request;
  return (
    <UsersOfWindow
      field={field}
      projectId={project_id}
      model={model}
      limit={decider.limit === null ? null : Number(decider.limit)}
      windowText={limitWindows[window].words}
      from={from}
      to={request.created_at + 1}
      length={window === "minute" ? "minute" : "24 hours"}
    />
  );
}

type UsersOfWindowProps = {
  field: RateLimitField;
  projectId: string;
  model: string;
  limit: number | null;
  /** "in any minute" */
  windowText: string;
  /** Unix seconds; `to` is exclusive. */
  from: number;
  to: number;
  /** What the window is called: "minute". */
  length: string;
};

function UsersOfWindow(props: UsersOfWindowProps) {
  const { field, projectId, model, limit, windowText, from, to, length } = props;
  const filter = { project_id: projectId, model };
  const calls = useRead("listRequests", {
    ...filter,
    start_time: String(from),
    end_time: String(to),
    limit: String(MOST_CALLS),
  });
  if (calls.isPending) {
    return (
      <Part title="What used it">
        <Skeleton className="h-16 w-full" />
      </Part>
    );
  }
  const counted = calls.data?.data.filter((call) => countsIn(field, call)) ?? [];
  if (counted.length === 0) return null;
  const isCut = calls.data?.has_more === true;
  const points = isCut ? null : accumulateUsage(field, counted);
  const number = `${formatCount(counted.length)} ${counted.length === 1 ? "call" : "calls"}`;
  return (
    <Part title="What used it">
      <p className="text-sm text-muted">
        {isCut ? `The latest ${number}` : number} of this model in the {length} before.
      </p>
      {points && limit !== null && (
        <UsageOverTime points={points} limit={limit} windowText={windowText} from={from} to={to - 1} />
      )}
      <RankedBars label="Keys that used the limit" bars={sumByKey(field, counted, { from, to })} />
      <TextLink
        className="w-fit text-sm"
        href={paths.requests({ ...filter, from: String(from), to: String(to) })}
      >
        View these calls
      </TextLink>
    </Part>
  );
}

type UsageOverTimeProps = {
  points: readonly UsagePoint[];
  limit: number;
  /** What the limit is for: "in any minute". */
  windowText: string;
  /** Unix seconds. */
  from: number;
  to: number;
};

const HEIGHT = 40;

const TOP = 6;

/** How a limit was used up, step by step, up to a dashed line at the limit. The bars under it have the figures. */
function UsageOverTime({ points, limit, windowText, from, to }: UsageOverTimeProps) {
  const most = Math.max(limit, points.at(-1)?.used ?? 0);
  const x = (at: number) => (((at - from) / Math.max(1, to - from)) * 100).toFixed(2);
  const y = (used: number) => (HEIGHT - (used / most) * (HEIGHT - TOP)).toFixed(2);
  const steps = points.map(({ at, used }) => `H${x(at)} V${y(used)}`).join(" ");
  return (
    <div className="grid gap-1 rounded-md border bg-surface p-3 text-xs text-muted">
      <span className="text-right">
        {formatCount(limit)} {windowText}
      </span>
      <svg
        aria-hidden
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-14 w-full overflow-visible"
      >
        <path
          d={`M0,${y(limit)} H100`}
          fill="none"
          strokeDasharray="3 3"
          className="stroke-danger"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={`M0,${HEIGHT} ${steps} H100`}
          fill="none"
          strokeWidth={1.5}
          className="stroke-accent"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span className="flex justify-between">
        <ClockTime at={from} className="" />
        <ClockTime at={to} className="" />
      </span>
    </div>
  );
}

/** How much of a limit was used in all, from a time on. */
interface UsagePoint {
  /** Unix seconds. */
  readonly at: number;
  readonly used: number;
}

/**
 * Adds up what calls used of a limit, oldest first: a point for each second in which some began. Null if the log
 * doesn't tell it of every call.
 */
export function accumulateUsage(field: RateLimitField, calls: readonly LoggedRequest[]): UsagePoint[] | null {
  const bySecond = new Map<number, number>();
  for (const call of calls) {
    const amount = measure(field, call);
    if (amount === null) return null;
    bySecond.set(call.created_at, (bySecond.get(call.created_at) ?? 0) + amount);
  }
  let used = 0;
  return [...bySecond]
    .toSorted(([one], [other]) => one - other)
    .map(([at, more]) => {
      used += more;
      return { at, used };
    });
}

const SHOWN_KEYS = 5;

/**
 * What a limit counts of a call: its tokens, its images, or the call itself; null for what the log doesn't tell. Of
 * images it has those that were made, not those that were sent in a chat.
 */
function measure(field: RateLimitField, call: LoggedRequest): number | null {
  const { prompt_tokens: prompt, completion_tokens: completion, estimated_tokens: estimate } = call;
  const counted: Measure = rateLimitTable[field].counts;
  switch (counted) {
    case "requests":
      return 1;
    case "tokens":
      return prompt === null && completion === null ? (estimate ?? 0) : (prompt ?? 0) + (completion ?? 0);
    case "batchInputTokens":
      return prompt ?? estimate ?? 0;
    case "images":
      return call.unit === "image" && call.units !== null ? Number(call.units) : null;
    case "audioMegabytes":
      return null;
  }
}

/** Whether a call counts in a limit: it was let through, and belongs to a batch if the limit is for batches. */
export function countsIn(field: RateLimitField, { outcome, batch_id }: LoggedRequest): boolean {
  if (rateLimitTable[field].counts === "batchInputTokens" && batch_id === null) return false;
  return outcome !== "refused" && outcome !== "unsent";
}

/**
 * The keys that used a limit, the largest first, as bars of their shares: of what the limit counts, or of the calls if
 * the log doesn't tell that of every call. Links show their calls between the times.
 */
export function sumByKey(
  field: RateLimitField,
  calls: readonly LoggedRequest[],
  between: { from: number; to: number },
): RankedBar[] {
  const isMeasured = calls.every((call) => measure(field, call) !== null);
  const { counts, words } = rateLimitTable[field];
  const unit = isMeasured && counts !== "requests" ? words.unit.replace(/s$/, "") : null;
  const sums = new Map<string, { first: LoggedRequest; calls: number; amount: number }>();
  for (const call of calls) {
    const sum = sums.get(call.key_id) ?? { first: call, calls: 0, amount: 0 };
    const amount = sum.amount + (isMeasured ? (measure(field, call) ?? 0) : 1);
    sums.set(call.key_id, { ...sum, calls: sum.calls + 1, amount });
  }
  const total = [...sums.values()].reduce((all, { amount }) => all + amount, 0);
  return [...sums.values()]
    .toSorted((one, other) => other.amount - one.amount)
    .slice(0, SHOWN_KEYS)
    .map(({ first, calls: made, amount }) => ({
      id: first.key_id,
      label: first.key_name ?? first.key_id,
      text: [
        `${formatCount(made)} ${made === 1 ? "call" : "calls"}`,
        unit && describeUnits(String(amount), unit),
      ]
        .filter((part) => part !== null)
        .join(" · "),
      share: total === 0 ? 0 : amount / total,
      color: "1",
      href: paths.requests({
        project_id: first.project_id,
        model: first.model,
        api_key_id: first.key_id,
        from: String(between.from),
        to: String(between.to),
      }),
    }));
}
