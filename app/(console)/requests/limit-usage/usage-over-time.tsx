import { ClockTime } from "@/components/ui/time/clock-time";
import { formatCount } from "@/components/ui/values/group-digits";
import type { UsagePoint } from "./accumulate-usage";

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
export function UsageOverTime({ points, limit, windowText, from, to }: UsageOverTimeProps) {
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
