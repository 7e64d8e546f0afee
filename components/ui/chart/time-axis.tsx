import { classNames } from "../class-names";
import { listTimeMarks } from "./list-time-marks";

/** With more marks than this, every other one is hidden on a phone. */
const PHONE_MOST = 4;

/** The times under a chart. Screen readers get them from the chart's values. */
export function TimeAxis({ times, seconds }: { times: readonly number[]; seconds: number }) {
  const marks = listTimeMarks(times, seconds);
  return (
    <div aria-hidden className="relative mt-1.5 h-4 text-xs whitespace-nowrap text-muted">
      {marks.map(({ at, left: leftPercent, label }) => (
        <span
          key={at}
          className={classNames("absolute top-0", marks.length > PHONE_MOST && "max-sm:even:hidden")}
          style={{ left: `${leftPercent}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}
