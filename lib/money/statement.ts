import { type Nano, toNano } from "./amount";

/** The sums of a month besides its charges. `corrections` is signed: negative if payments are corrected. */
interface MonthSums {
  readonly opening: Nano;
  readonly payments: Nano;
  readonly corrections: Nano;
  readonly closing: Nano;
}

/** The charges of a month, since opening + payments − charges + corrections = closing. */
export function sumMonthCharges({
  opening: openingBalance,
  payments,
  corrections,
  closing: closingBalance,
}: MonthSums): Nano {
  return toNano(openingBalance + payments + corrections - closingBalance);
}
