import { useIsPainted } from "../browser/use-is-painted";
import { classNames } from "../class-names";
import { type ChartData, chartColors } from "./chart-series";
import { labelTableTimes } from "./format-time-label";

/** The values of the chart as a table. Buckets without values are left out. */
export function ChartTable({ label, times, seconds, series, totals, before }: ChartData) {
  const isPainted = useIsPainted();
  const rows = isPainted ? times.map((time, at) => ({ time, at })) : [];
  const shownRows = rows.filter(({ at }) => series.some(({ values }) => values[at]?.height));
  const shownTimes = labelTableTimes(times, seconds);
  const hasTotals = totals !== undefined && series.length > 1;
  return (
    <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1 text-sm">
      <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 md:hidden">
        {series.map(({ id, label: name, color }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span
              className={classNames("size-2 rounded-[2px] forced-color-adjust-none", chartColors[color].dot)}
            />
            {name}
          </li>
        ))}
      </ul>
      {before && <BeforeMark label={before.label} />}
      <details className="min-w-0 open:w-full">
        <summary className="w-fit rounded-sm text-muted hover:text-foreground">Show as a table</summary>
        <div
          className="mt-2 max-h-72 overflow-auto rounded-sm border"
          tabIndex={0}
          role="region"
          aria-label={`${label}, as a table`}
        >
          <table className="w-full [&_td]:px-3 [&_td]:py-1 [&_td]:text-right [&_td]:whitespace-nowrap [&_th]:px-3 [&_th]:py-1 [&_th]:text-left [&_th]:font-normal [&_th]:whitespace-nowrap">
            <thead className="text-muted">
              <tr>
                <th scope="col">{shownTimes.head}</th>
                {series.map(({ id, label: name }) => (
                  <th key={id} scope="col" className="text-right!">
                    {name}
                  </th>
                ))}
                {hasTotals && (
                  <th scope="col" className="text-right!">
                    In all
                  </th>
                )}
                {before && (
                  <th scope="col" className="text-right!">
                    {before.label}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {shownRows.map(({ time, at }) => (
                <tr key={time}>
                  <th scope="row">{shownTimes.label(time)}</th>
                  {series.map(({ id, values }) => (
                    <td key={id}>{values[at]?.text}</td>
                  ))}
                  {hasTotals && <td>{totals[at]}</td>}
                  {before && <td>{before.values[at]?.text}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

/** Names the thin line of the period before. */
function BeforeMark({ label }: { label: string }) {
  return (
    <p aria-hidden className="order-last flex items-center gap-1.5 text-muted">
      <svg width="16" height="2" className="overflow-visible">
        <line x2="16" y1="1" y2="1" strokeDasharray="3 3" className="stroke-foreground opacity-60" />
      </svg>
      {label}
    </p>
  );
}
