import { invalid } from "../refusal";

/** @throws Refusal 400 for another currency than the organization's. */
export function refuseOtherCurrency(currency: string, ownCurrency: string): void {
  if (currency !== ownCurrency)
    throw invalid("currency", `currency must be ${ownCurrency}, the organization's.`);
}
