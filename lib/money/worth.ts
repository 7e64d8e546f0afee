import { NANO_PER_UNIT, type Nano, toNano } from "./amount";
import { divideRounded } from "./rounding";

/**
 * What a payment buys at list prices: payment ÷ model rate (10.00 at 0.2 is 50.00).
 * @throws RangeError when the rate is not greater than 0.
 */
export function convertPayment(payment: Nano, rate: Nano): Nano {
  return toNano(divideRounded(payment * NANO_PER_UNIT, rate));
}

/** The payment that buys a given worth at list prices: worth × model rate, the inverse of `worthOfPayment`. */
export function paymentForWorth(worth: Nano, rate: Nano): Nano {
  return toNano(divideRounded(worth * rate, NANO_PER_UNIT));
}
