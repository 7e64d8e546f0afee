import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { labelTableTimes } from "@/components/ui/chart/format-time-label";
import { capitalize } from "@/components/ui/text/capitalize";
import { formatCount } from "@/components/ui/values/group-digits";
import { type Bar, outcomeGroups } from "./histogram-bars";

/** The values of the histogram as a table. Buckets without calls are left out. */
export function HistogramTable({ bars, seconds }: { bars: readonly Bar[]; seconds: number }) {
  const isPainted = useIsPainted();
  const rows = isPainted ? bars.filter(({ total }) => total > 0) : [];
  const shownTimes = labelTableTimes(
    bars.map(({ from }) => from),
    seconds,
  );
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit rounded-sm text-muted hover:text-foreground">Show as a table</summary>
      <div
        className="mt-2 max-h-64 overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label="Calls over time, as a table"
      >
        <table className="w-full [&_td]:py-0.5 [&_td]:text-right [&_th]:py-0.5 [&_th]:text-left [&_th]:font-normal">
          <thead className="text-muted">
            <tr>
              <th scope="col">{shownTimes.head}</th>
              {outcomeGroups.map(({ id, label }) => (
                <th key={id} scope="col" className="text-right!">
                  {capitalize(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((bar) => (
              <tr key={bar.from}>
                <th scope="row">{shownTimes.label(bar.from)}</th>
                {outcomeGroups.map(({ id }) => (
                  <td key={id}>{formatCount(bar.counts[id])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
