import { checkedParameters } from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { parseTimeRange, type RangeChoice } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";

export const DEFAULT_RANGE: RangeChoice = "all";

/** Parameters of the address that filter events, by the API's names. */
export const filterNames = [
  "text",
  "event_types",
  "actor_ids",
  "project_ids",
  "resource_ids",
  "ip_addresses",
] as const;
export type FilterName = (typeof filterNames)[number];

/** What a list shows of an event with thousands of changes. */
const SHOWN_CHANGES = { max_changes: "20" };

/** Returns the query of a list that only shows the first changes of each event. */
export const inShort = (parameters: ReadParameters): ReadParameters => ({ ...parameters, ...SHOWN_CHANGES });

/** Returns the list's query. `now` in Unix seconds. */
export function auditLogParameters(findInAddress: FindInAddress, now: number): ReadParameters {
  const { start, end } = parseTimeRange(findInAddress, now, DEFAULT_RANGE);
  return {
    ...checkedParameters(filterNames, {}, (name) => findInAddress(name).trim().slice(0, 200)),
    "effective_at[gte]": start === null ? undefined : String(start),
    "effective_at[lt]": end === null ? undefined : String(end),
    limit: "50",
  };
}
