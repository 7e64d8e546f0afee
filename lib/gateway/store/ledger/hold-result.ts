import type { HoldOutcome } from "../../balance/funds";

/** A hold's outcome as the writer sends it: true for `placed`, false for `not covered`. */
export type HoldResult = boolean | Exclude<HoldOutcome, "placed" | "not covered">;

export function toHoldOutcome(result: HoldResult): HoldOutcome {
  if (result === true) return "placed";
  return result === false ? "not covered" : result;
}
