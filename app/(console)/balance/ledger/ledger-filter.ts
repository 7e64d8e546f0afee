import { entryKinds } from "@/components/money/ledger-entry-columns";
import {
  checkedParameters,
  type ParameterChecks,
  timeParameters,
} from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { parseTimeRange, type RangeChoice } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";
import { parseAmount } from "@/lib/money/amount";

/** Parameters of the address that filter entries, by the API's names. */
export const filterNames = [
  "text",
  "kind",
  "project_id",
  "model",
  "key_id",
  "min_amount",
  "max_amount",
  "reference",
  "request_id",
] as const;
export type FilterName = (typeof filterNames)[number];

export const DEFAULT_RANGE: RangeChoice = "all";

const isAmount = (text: string) => !text.startsWith("-") && parseAmount(text) !== null;
const isSearchable = (text: string) => text.length <= 200;

const checks: ParameterChecks<FilterName> = {
  text: isSearchable,
  reference: isSearchable,
  kind: (text) => Object.hasOwn(entryKinds, text),
  min_amount: isAmount,
  max_amount: isAmount,
};

/** Returns the ledger's query. Leaves out values that the gateway would refuse. */
export function ledgerParameters(findInAddress: FindInAddress, now: number): ReadParameters {
  return {
    ...checkedParameters(filterNames, checks, findInAddress),
    ...timeParameters(parseTimeRange(findInAddress, now, DEFAULT_RANGE)),
    limit: "50",
  };
}
