import { divideToAmount, NANO_PER_UNIT, type Nano, type RoundedAmount } from "./amount";

/**
 * What a payment buys at list prices: payment ÷ model rate (10.00 at 0.2 is 50.00).
 * @throws RangeError when the rate is not greater than 0.
 */
export function computeWorth(payment: Nano, rate: Nano): RoundedAmount {
  return divideToAmount(payment * NANO_PER_UNIT, rate);
}

/** The payment that buys a given worth at list prices: worth × model rate, the inverse of `computeWorth`. */
export function computePaymentForWorth(worth: Nano, rate: Nano): RoundedAmount {
  return divideToAmount(worth * rate, NANO_PER_UNIT);
}
