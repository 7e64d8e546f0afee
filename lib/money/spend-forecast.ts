import { type Nano, toNano } from "./amount";

/** What was charged in a time until now, in milliseconds. */
interface SpendPace {
  readonly charged: Nano;
  readonly ms: number;
}

interface MonthSoFar {
  readonly spent: Nano;
  readonly nowMs: number;
  readonly endMs: number;
  readonly pace: SpendPace;
}

/** What a month comes to if what is left of it costs as much a day as the pace says. Exact to a second of the pace. */
export function forecastMonth({ spent, nowMs, endMs, pace }: MonthSoFar): Nano {
  const leftMs = BigInt(Math.max(0, endMs - nowMs));
  return toNano(spent + (pace.charged * leftMs) / paceMs(pace));
}

/** When a month's charges reach a limit at the pace: now if they have; null if not before the month ends. */
export function findLimitReachedMs(limit: Nano, { spent, nowMs, endMs, pace }: MonthSoFar): number | null {
  if (spent >= limit) return nowMs;
  if (pace.charged <= 0n) return null;
  const afterMs = Number(((limit - spent) * paceMs(pace)) / pace.charged);
  return nowMs + afterMs < endMs ? nowMs + afterMs : null;
}

/** At least a second. */
const paceMs = ({ ms }: SpendPace) => BigInt(Math.max(1_000, Math.round(ms)));
