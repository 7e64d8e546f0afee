import { type Nano, toNano } from "./amount";

/** The sums of a month besides its charges. `corrections` is signed: negative where payments are corrected. */
export interface MonthSums {
  readonly opening: Nano;
  readonly payments: Nano;
  readonly corrections: Nano;
  readonly closing: Nano;
}

/** The charges of a month, since opening + payments − charges + corrections = closing. */
export function chargesOfMonth({ opening, payments, corrections, closing }: MonthSums): Nano {
  return toNano(opening + payments + corrections - closing);
}
