/** Stretches of time that end now, in seconds. */
export const ranges = {
  "15m": { label: "Last 15 minutes", seconds: 900 },
  "1h": { label: "Last hour", seconds: 3_600 },
  "24h": { label: "Last 24 hours", seconds: 86_400 },
  "7d": { label: "Last 7 days", seconds: 604_800 },
  "30d": { label: "Last 30 days", seconds: 2_592_000 },
  "90d": { label: "Last 90 days", seconds: 7_776_000 },
} as const;
export type RangeName = keyof typeof ranges;
/** `all` is all there is. */
export type RangeChoice = RangeName | "all";

/** The address's parameter, or "" where it is absent. */
export type Given = (name: string) => string;

/** Unix seconds; `end` is null where the range goes on. */
export interface TimeRange {
  readonly start: number | null;
  readonly end: number | null;
}

const wholeNumber = (text: string) => (/^\d{1,11}$/.test(text) ? Number(text) : null);

/** `range=7d` ends at `now`; `range=all` is all there is; `from` and `to` say a stretch in Unix seconds; nothing is `usual`. */
export function timeRangeOf(given: Given, now: number, usual: RangeChoice): TimeRange {
  const [start, end] = [wholeNumber(given("from")), wholeNumber(given("to"))];
  if (start !== null || end !== null) return { start, end };
  const named = given("range");
  const chosen = Object.hasOwn(ranges, named) || named === "all" ? (named as RangeChoice) : usual;
  return { start: chosen === "all" ? null : now - ranges[chosen].seconds, end: null };
}

/** Unix seconds. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
