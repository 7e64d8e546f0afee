import { type Nano, toNano, ZERO } from "./amount";
import { computeCharge, type PriceSnapshot, type TokenUsage } from "./charge";

/** A number of calls of one size per day. `calls` is a non-negative integer. */
interface DailyCalls {
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly price: PriceSnapshot;
}

/**
 * How many calls of one size an amount pays for, each rounded separately as in the ledger; Infinity if calls are free.
 */
export function computeCallsCovered(available: Nano, usage: TokenUsage, price: PriceSnapshot): number {
  const charge = computeCharge(usage, price);
  if (charge === ZERO) return Number.POSITIVE_INFINITY;
  const calls = available > 0n ? available / charge : 0n;
  return calls > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(calls);
}

/** The charge of a day's calls, each rounded separately as in the ledger. */
export function computeDailyCost({ calls, usage, price }: DailyCalls): Nano {
  return toNano(BigInt(calls) * computeCharge(usage, price));
}

/** How many days an amount lasts, in thousandths of a day, rounded down; null if a day costs nothing. */
export function computeDaysCovered(available: Nano, costPerDay: Nano): number | null {
  if (costPerDay <= 0n) return null;
  const thousandths = available > 0n ? (available * 1_000n) / costPerDay : 0n;
  return thousandths > BigInt(Number.MAX_SAFE_INTEGER)
    ? Number.MAX_SAFE_INTEGER / 1_000
    : Number(thousandths) / 1_000;
}

/** The payment that makes a balance last a number of whole days: their cost minus the available balance, at least 0. */
export function computePaymentToLast(days: number, costPerDay: Nano, available: Nano): Nano {
  const missingAmount = BigInt(days) * costPerDay - available;
  return toNano(missingAmount > 0n ? missingAmount : 0n);
}
