import { entryKinds } from "@/app/ledger/ledger-entry-columns";
import type { FindInAddress } from "@/components/filters/find-in-address";
import { parseTimeRange, type RangeChoice } from "@/components/filters/time-range";
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

const checks: Partial<Record<FilterName, (text: string) => boolean>> = {
  text: isSearchable,
  reference: isSearchable,
  kind: (text) => Object.hasOwn(entryKinds, text),
  min_amount: isAmount,
  max_amount: isAmount,
};

/** Returns the ledger's query. Leaves out values that the gateway would refuse. */
export function ledgerParameters(findInAddress: FindInAddress, now: number): ReadParameters {
  const { start, end } = parseTimeRange(findInAddress, now, DEFAULT_RANGE);
  const asked = filterNames.map((name) => {
    const text = findInAddress(name).trim();
    return [name, text !== "" && (checks[name]?.(text) ?? true) ? text : undefined] as const;
  });
  return {
    ...Object.fromEntries(asked),
    start_time: start === null ? undefined : String(Math.max(0, start)),
    end_time: end === null ? undefined : String(end),
    limit: "50",
  };
}
