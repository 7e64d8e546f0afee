import { classNames } from "../class-names";
import { chartColors } from "./chart-series";
import { placeLabels } from "./place-labels";
import type { Plot } from "./plot";

/** The chart is 240 px high; a label is 18 px high. */
const HEIGHT_PX = 240;
const GAP_PX = 18;

/** Series names to the right of where each series ends. Phones have no room for them and list them under the chart. */
export function ChartLabels({ plot }: { plot: Plot }) {
  const labelPositions = plot.layers.map(({ spans }) => {
    const { top, bottom } = spans.at(-1) ?? { top: 0, bottom: 0 };
    return (((top + Math.min(bottom, 100)) / 2) * HEIGHT_PX) / 100 - GAP_PX / 2;
  });
  const labelTops = placeLabels(labelPositions, GAP_PX, HEIGHT_PX - GAP_PX);
  return (
    <ul aria-hidden className="relative w-36 shrink-0 text-xs max-md:hidden">
      {plot.layers.map(({ series: { id, label, color } }, index) => (
        <li
          key={id}
          className="absolute flex w-full items-center gap-1.5 leading-4.5"
          style={{ top: labelTops[index] }}
        >
          <span
            className={classNames(
              "size-2 shrink-0 rounded-[2px] forced-color-adjust-none",
              chartColors[color].dot,
            )}
          />
          <span className="truncate">{label}</span>
        </li>
      ))}
    </ul>
  );
}
