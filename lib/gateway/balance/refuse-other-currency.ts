import { invalid } from "../refusal";

/** @throws Refusal 400 for another currency than the organization's. */
export function refuseOtherCurrency(given: string, own: string): void {
  if (given !== own) throw invalid("currency", `currency must be ${own}, the organization's.`);
}
