import { type Nano, toNano } from "./amount";

const DAY_MS = 86_400_000;

/** What was charged in a number of days until now. */
interface SpendPace {
  readonly charged: Nano;
  /** At least a second, as a part of a day. */
  readonly days: number;
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

const paceMs = ({ days }: SpendPace) => BigInt(Math.max(1_000, Math.round(days * DAY_MS)));
