import { classNames } from "../class-names";
import { type ChartData, chartColors } from "./chart-series";
import { findLabelZone, formatBucketStart } from "./format-time-label";

/** Shows the values of the bucket being read, next to that bucket. */
export function ChartReadout({ times, seconds, series, totals, before, at }: ChartData & { at: number }) {
  const time = times[at];
  if (time === undefined) return null;
  const share = (at + 0.5) / times.length;
  const side = share > 0.5 ? { right: `${(1 - share) * 100 + 2}%` } : { left: `${share * 100 + 2}%` };
  const shownSeries = series.filter(({ values }) => values[at]?.height).toReversed();
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 min-w-44 rounded-md border bg-overlay px-3 py-2 text-sm shadow-[var(--overlay-shadow)]"
      style={side}
    >
      <p className="mb-1 font-medium">
        {formatBucketStart(time, seconds)}{" "}
        <span className="font-normal text-muted">{findLabelZone(time, seconds)}</span>
      </p>
      {shownSeries.map(({ id, label, color, values }) => (
        <p key={id} className="flex items-center gap-2">
          <span
            className={classNames(
              "size-2 shrink-0 rounded-[2px] forced-color-adjust-none",
              chartColors[color].dot,
            )}
          />
          <span className="max-w-44 truncate text-muted">{label}</span>
          <span className="ml-auto pl-3 whitespace-nowrap">{values[at]?.text}</span>
        </p>
      ))}
      {shownSeries.length === 0 && <p className="text-muted">Nothing</p>}
      {totals && shownSeries.length > 1 && (
        <p className="mt-1 flex justify-between gap-3 border-t pt-1 font-medium">
          <span>In all</span>
          <span className="whitespace-nowrap">{totals[at]}</span>
        </p>
      )}
      {before?.values[at] && (
        <p className="flex justify-between gap-3 text-muted">
          <span>{before.label}</span>
          <span className="whitespace-nowrap">{before.values[at].text}</span>
        </p>
      )}
    </div>
  );
}
