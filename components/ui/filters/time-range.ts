import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";

/** Lengths in seconds of ranges that end now. */
export const ranges = {
  "15m": { label: "Last 15 minutes", seconds: 15 * MINUTE_S },
  "1h": { label: "Last hour", seconds: HOUR_S },
  "24h": { label: "Last 24 hours", seconds: DAY_S },
  "7d": { label: "Last 7 days", seconds: 7 * DAY_S },
  "30d": { label: "Last 30 days", seconds: 30 * DAY_S },
  "90d": { label: "Last 90 days", seconds: 90 * DAY_S },
} as const;
type RangeName = keyof typeof ranges;
/** `all` has no limits. */
export type RangeChoice = RangeName | "all";

/** A range in Unix seconds. `end` is null if the range is open-ended. */
export interface TimeRange {
  readonly start: number | null;
  readonly end: number | null;
}

/** Whether text of the address is a time in Unix seconds. Everything else is taken for absent. */
export const isSeconds = (text: string) => /^\d{1,11}$/.test(text);
const parseSeconds = (text: string) => (isSeconds(text) ? Number(text) : null);
/** Whether text of the address is the name of a range. */
export const isRange = (text: string): text is RangeChoice => Object.hasOwn(ranges, text) || text === "all";

/**
 * Reads `range=7d` (ends at `now`), `range=all`, or `from` and `to` in Unix seconds. Without any, returns
 * `defaultRange`.
 */
export function parseTimeRange(
  findInAddress: FindInAddress,
  now: number,
  defaultRange: RangeChoice,
): TimeRange {
  const [start, end] = [parseSeconds(findInAddress("from")), parseSeconds(findInAddress("to"))];
  if (start !== null || end !== null) return { start, end };
  const rangeName = findInAddress("range");
  const rangeChoice = isRange(rangeName) ? rangeName : defaultRange;
  return { start: rangeChoice === "all" ? null : now - ranges[rangeChoice].seconds, end: null };
}

/** Returns a parameter of the address, or "" if it is absent. */
export type FindInAddress = (name: string) => string;

/** The query of an address as a page gets it on the server. */
export type PageQuery = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the address on the server as `useSearchParams` does in the browser: the first of a repeated parameter. */
export function findInQuery(query: PageQuery): FindInAddress {
  return (name) => [query[name]].flat()[0] ?? "";
}
