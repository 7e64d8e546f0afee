"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { RankedBars } from "@/components/ui/chart/ranked-bars";
import { Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { ClockTime } from "@/components/ui/time/clock-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { limitWindows, type RateLimitField, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { accumulateUsage, countsIn, sumByKey, type UsagePoint } from "./accumulate-usage";

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
