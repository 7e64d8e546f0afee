import { checkedParameters } from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { parseTimeRange, type RangeChoice } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";

export const DEFAULT_RANGE: RangeChoice = "7d";

/** Parameters of the address that filter refusals, by the API's names. */
export const filterNames = ["caller_ids", "codes", "ip_addresses"] as const;
export type FilterName = (typeof filterNames)[number];

/** Returns the list's query. `now` in Unix seconds. */
export function refusalParameters(findInAddress: FindInAddress, now: number): ReadParameters {
  const { start, end } = parseTimeRange(findInAddress, now, DEFAULT_RANGE);
  return {
    ...checkedParameters(filterNames, {}, (name) => findInAddress(name).trim().slice(0, 200)),
    "refused_at[gte]": start === null ? undefined : String(start),
    "refused_at[lt]": end === null ? undefined : String(end),
    limit: "50",
  };
}
