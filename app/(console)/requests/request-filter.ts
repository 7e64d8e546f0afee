import {
  checkedParameters,
  type ParameterChecks,
  timeParameters,
} from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { parseTimeRange, type RangeChoice } from "@/components/ui/filters/time-range";
import type { ParsedText } from "@/components/ui/number-fields/parse-number";
import type { ReadParameters } from "@/lib/console/reads/reads";
import { requestOutcomes } from "@/lib/contract/calls/request-outcomes";
import { parseAmount } from "@/lib/money/amount";

/** Parameters of the address that filter calls, by the API's names. */
export const filterNames = [
  "project_id",
  "model",
  "provider",
  "outcome",
  "refused_by",
  "api_key_id",
  "user_id",
  "status",
  "min_amount",
  "min_duration_ms",
  "request_id",
  "batch_id",
] as const;
export type FilterName = (typeof filterNames)[number];

export const DEFAULT_RANGE: RangeChoice = "24h";

/** Reads an HTTP status that was typed to filter by. */
export function parseStatus(text: string): ParsedText<string> {
  const value = text.trim();
  return /^\d{3}$/.test(value)
    ? { ok: true, value }
    : { ok: false, message: "Enter a status of three digits, such as 429." };
}

/** Reads milliseconds, whose groups may be set apart by commas. */
export function parseMilliseconds(text: string): ParsedText<string> {
  const value = text.trim().replaceAll(",", "");
  return /^\d{1,9}$/.test(value)
    ? { ok: true, value }
    : { ok: false, message: "Enter whole milliseconds, such as 1000." };
}

const checks: ParameterChecks<FilterName> = {
  outcome: (text) => requestOutcomes.some((known) => known === text),
  status: (text) => parseStatus(text).ok,
  min_amount: (text) => !text.startsWith("-") && parseAmount(text) !== null,
  min_duration_ms: (text) => /^\d{1,9}$/.test(text),
};

/** The id in what was pasted: an error's text, an address or JSON. */
function parseRequestId(text: string): string {
  return /(?:req|txn|hold)_[0-9a-z]{10,}/i.exec(text)?.[0].toLowerCase() ?? text;
}

/** Returns the list's query. Leaves out values that the gateway would refuse. */
export function requestParameters(findInAddress: FindInAddress, now: number): ReadParameters {
  const findText = (name: string) =>
    name === "request_id" ? parseRequestId(findInAddress(name)) : findInAddress(name);
  return {
    ...checkedParameters(filterNames, checks, findText),
    ...timeParameters(parseTimeRange(findInAddress, now, DEFAULT_RANGE)),
    limit: "50",
  };
}
