import { classNames } from "@/components/ui/class-names";
import { offsetSeconds } from "@/components/ui/time/describe-time";
import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";

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

/** A label under a chart, with its position in percent of the width. */
interface TimeMark {
  readonly at: number;
  readonly left: number;
  readonly label: string;
}

const STEPS = [
  MINUTE_S,
  5 * MINUTE_S,
  15 * MINUTE_S,
  30 * MINUTE_S,
  HOUR_S,
  3 * HOUR_S,
  6 * HOUR_S,
  12 * HOUR_S,
  DAY_S,
];
/** Fits seven dates on a phone. */
const MAX_MARKS = 6;
/** A label that begins further right would leave the chart. */
const LAST_LEFT = 92;

const day = { day: "numeric", month: "short" } as const;
const utcDayFormat = new Intl.DateTimeFormat("en-GB", { ...day, timeZone: "UTC" });
const utcTimeFormat = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/**
 * Marks at round times of the viewer's zone: full hours or quarters of one, and midnights, which show the date. Buckets
 * of days are days in UTC, and are marked with its dates.
 * @param times starts of the buckets in Unix seconds, ascending and without gaps
 * @param seconds the width of a bucket
 */
export function listTimeMarks(times: readonly number[], seconds: number): TimeMark[] {
  const span = times.length * seconds;
  const step = STEPS.find((each) => each >= seconds && span / each <= MAX_MARKS) ?? Math.max(DAY_S, seconds);
  const marks = times.flatMap((at, index): TimeMark[] => {
    const begins =
      index === 0 ? startsAt(at, seconds, step) : countSteps(at, step) !== countSteps(at - seconds, step);
    const leftPercent = (index / times.length) * 100;
    return begins && leftPercent <= LAST_LEFT
      ? [{ at, left: leftPercent, label: formatLabel(at, seconds, isNewDay(at, index && seconds)) }]
      : [];
  });
  const every = Math.ceil(marks.length / MAX_MARKS);
  return marks.filter((_, index) => index % every === 0);
}

function startsAt(at: number, seconds: number, step: number): boolean {
  return seconds >= DAY_S || localSeconds(at) % step === 0;
}

function countSteps(at: number, step: number): number {
  return Math.floor(localSeconds(at) / step);
}

/** Seconds since the epoch as clocks of the shown zone do, so that days begin at local midnight. */
function localSeconds(at: number): number {
  return at + offsetSeconds(at);
}

/**
 * Whether a bucket of `seconds` is the first one of a local day, or for 0 begins with it. In a zone that is not whole
 * hours from UTC, and where the clock is set forward at midnight, no bucket begins with the day.
 */
function isNewDay(at: number, seconds: number): boolean {
  return seconds === 0
    ? localSeconds(at) % DAY_S === 0
    : countSteps(at, DAY_S) !== countSteps(at - seconds, DAY_S);
}

function formatLabel(at: number, seconds: number, isDay: boolean): string {
  if (seconds >= DAY_S) return utcDayFormat.format(at * 1000);
  return (isDay ? utcDayFormat : utcTimeFormat).format(localSeconds(at) * 1000);
}
