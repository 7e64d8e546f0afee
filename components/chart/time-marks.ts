/** A label under a chart, with its position in percent of the width. */
export interface TimeMark {
  readonly at: number;
  readonly left: number;
  readonly label: string;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
/** Fits seven dates on a phone. */
const MOST = 6;
/** A label that begins further right would leave the chart. */
const LAST_LEFT = 92;

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/**
 * Marks at round times of the viewer's zone: full hours or quarters of one, and midnights, which show the date.
 * @param times starts of the buckets in Unix seconds, ascending and without gaps
 * @param seconds the width of a bucket
 */
export function timeMarks(times: readonly number[], seconds: number): TimeMark[] {
  const span = times.length * seconds;
  const step = STEPS.find((each) => each >= seconds && span / each <= MOST) ?? Math.max(DAY, seconds);
  const found = times.flatMap((at, index): TimeMark[] => {
    const begins =
      index === 0 ? startsAt(at, seconds, step) : stepOf(at, step) !== stepOf(at - seconds, step);
    const left = (index / times.length) * 100;
    return begins && left <= LAST_LEFT ? [{ at, left, label: labelOf(at, step) }] : [];
  });
  const every = Math.ceil(found.length / MOST);
  return found.filter((_, index) => index % every === 0);
}

function startsAt(at: number, seconds: number, step: number): boolean {
  return seconds >= DAY || localSeconds(at) % step === 0;
}

function stepOf(at: number, step: number): number {
  return Math.floor(localSeconds(at) / step);
}

/** Seconds since the epoch as the viewer's clock shows them, so that days begin at local midnight. */
function localSeconds(at: number): number {
  return at - new Date(at * 1000).getTimezoneOffset() * MINUTE;
}

function labelOf(at: number, step: number): string {
  const isDay = step >= DAY || localSeconds(at) % DAY === 0;
  return (isDay ? dayFormat : timeFormat).format(at * 1000);
}
