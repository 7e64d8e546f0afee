import type { ReadParameters } from "@/lib/console/reads";
import { requestOutcomes } from "@/lib/contract/operations/requests";

/** What the address may say of which calls are listed, by the API's names. */
export const filterNames = [
  "project_id",
  "model",
  "outcome",
  "refused_by",
  "api_key_id",
  "user_id",
  "status",
  "min_amount",
  "min_duration_ms",
  "request_id",
] as const;
export type FilterName = (typeof filterNames)[number];

/** Stretches of time that end now, in seconds. */
export const ranges = {
  "15m": { label: "Last 15 minutes", seconds: 900 },
  "1h": { label: "Last hour", seconds: 3_600 },
  "24h": { label: "Last 24 hours", seconds: 86_400 },
  "7d": { label: "Last 7 days", seconds: 604_800 },
  "30d": { label: "Last 30 days", seconds: 2_592_000 },
} as const;
export type RangeName = keyof typeof ranges;
export const USUAL_RANGE: RangeName = "24h";

/** The address's parameter, or "" where it is absent. */
type Given = (name: string) => string;

/** Unix seconds; `end` is null where the range goes on. */
export interface TimeRange {
  readonly start: number | null;
  readonly end: number | null;
}

const wholeNumber = (text: string) => (/^\d{1,11}$/.test(text) ? Number(text) : null);

/** `range=7d` ends at `now`; `range=all` is all there is; `from` and `to` say a stretch in Unix seconds. */
export function timeRangeOf(given: Given, now: number): TimeRange {
  const [start, end] = [wholeNumber(given("from")), wholeNumber(given("to"))];
  if (start !== null || end !== null) return { start, end };
  const named = given("range");
  if (named === "all") return { start: null, end: null };
  const { seconds } = ranges[Object.hasOwn(ranges, named) ? (named as RangeName) : USUAL_RANGE];
  return { start: now - seconds, end: null };
}

const checks: Partial<Record<FilterName, (text: string) => boolean>> = {
  outcome: (text) => requestOutcomes.some((known) => known === text),
  status: (text) => /^\d{3}$/.test(text),
  min_amount: (text) => /^\d{1,9}(\.\d{1,9})?$/.test(text),
  min_duration_ms: (text) => /^\d{1,9}$/.test(text),
};

/** The query of the list; what the gateway would refuse is as if it weren't there. */
export function requestParameters(given: Given, now: number): ReadParameters {
  const { start, end } = timeRangeOf(given, now);
  const asked = filterNames.map((name) => {
    const text = given(name).trim();
    return [name, (checks[name]?.(text) ?? true) && text !== "" ? text : undefined] as const;
  });
  return {
    ...Object.fromEntries(asked),
    start_time: start === null ? undefined : String(Math.max(0, start)),
    end_time: end === null ? undefined : String(end),
    limit: "50",
  };
}

/** Unix seconds. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
