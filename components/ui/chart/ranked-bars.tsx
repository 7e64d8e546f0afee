import { formatNearestPercent } from "@/components/ui/values/percent";
import { classNames } from "../class-names";
import { ConsoleLink } from "../links/console-link";
import { type ChartColor, chartColors } from "./chart-series";

export type RankedBar = {
  readonly id: string;
  readonly label: string;
  /** The formatted value. */
  readonly text: string;
  /** The value's share of the whole, from 0 to 1. */
  readonly share: number;
  readonly color: ChartColor;
  /** Link to the items that make up the value. */
  readonly href?: string | undefined;
};

/** A list of bars in the given order. A full bar is the whole. */
export function RankedBars({ label, bars }: { label: string; bars: readonly RankedBar[] }) {
  return (
    <ol aria-label={label} className="grid gap-3">
      {bars.map(({ id, label: name, text, share, color, href }) => (
        <li key={id} className="grid gap-1">
          <div className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 truncate" title={name}>
              {href ? (
                <ConsoleLink href={href} className="rounded-sm hover:underline">
                  {name}
                </ConsoleLink>
              ) : (
                name
              )}
            </span>
            <span className="shrink-0 whitespace-nowrap tabular-nums">
              {text}{" "}
              <span className="inline-block min-w-10 text-right text-muted">
                {formatNearestPercent(share)}
              </span>
            </span>
          </div>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-default">
            <div
              className={classNames("h-full rounded-full forced-color-adjust-none", chartColors[color].dot)}
              style={{ width: `${Math.max(share > 0 ? 1 : 0, share * 100)}%` }}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}
