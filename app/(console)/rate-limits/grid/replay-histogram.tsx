"use client";

import { formatDay } from "@/components/ui/time/describe-time";
import { useShownZone } from "@/components/ui/time/use-shown-zone";
import { formatCount } from "@/components/ui/values/group-digits";
import type { LimitReplay } from "@/lib/contract/operations/models/rate-limit-replay";

const HEIGHT = 48;

/** Calls per hour that would have been let through, above the line, and refused, below it. */
export function ReplayHistogram({ histogram }: Pick<LimitReplay, "histogram">) {
  const zone = useShownZone();
  const most = Math.max(...histogram.map((hour) => Math.max(hour.newly_let_through, hour.newly_refused)));
  const [first, last] = [histogram[0], histogram.at(-1)];
  if (most <= 0 || !first || !last) return null;
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (HEIGHT * count) / most));
  return (
    <figure className="rounded-md border bg-surface px-3.5 py-3">
      <figcaption className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold">Calls per hour decided otherwise</span>
        <span className="text-muted">
          <span className="text-success">↑ let through</span> <span className="text-danger">↓ refused</span>,
          at most {formatCount(most)} an hour
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`Between ${formatDay(first.start_time, zone)} and ${formatDay(last.start_time, zone)}, at most ${formatCount(most)} calls an hour`}
        viewBox={`0 0 ${histogram.length} ${2 * HEIGHT}`}
        preserveAspectRatio="none"
        className="h-24 w-full"
      >
        <rect x={0} y={HEIGHT - 0.25} width={histogram.length} height={0.5} className="fill-border" />
        {histogram.map(({ start_time, newly_let_through: passed, newly_refused: refused }, at) => (
          <g key={start_time}>
            <rect
              x={at + 0.1}
              y={HEIGHT - height(passed)}
              width={0.8}
              height={height(passed)}
              className="fill-success"
            />
            <rect x={at + 0.1} y={HEIGHT} width={0.8} height={height(refused)} className="fill-danger" />
          </g>
        ))}
      </svg>
      <div className="flex justify-between text-xs text-muted">
        <span>{formatDay(first.start_time, zone)}</span>
        <span>{formatDay(last.start_time, zone)}</span>
      </div>
    </figure>
  );
}
