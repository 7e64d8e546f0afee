import { nameCounted } from "@/components/rate-limits/limit-fields";
import { formatCount } from "@/components/ui/values/group-digits";
import { type RateLimitField, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import { type Nano, toNano } from "@/lib/money/amount";

/** What calls of a model in a project came to in the last 30 days. */
interface PastCalls {
  readonly requests: number;
  readonly refusals: number;
  readonly tokens: number;
  readonly amount: Nano;
}

const MINUTES_A_DAY = 1_440;
const perWindow = { minute: "a minute", day: "a day" } as const;

/** Says what a higher limit lets through: "7 more requests a minute". Null stands for no limit. */
export function describeMore(field: RateLimitField, now: number | null, asked: number | null): string {
  const { window, words } = rateLimitTable[field];
  const more = (asked ?? 0) - (now ?? 0);
  if (asked === null) return `any number of ${words.amount} ${perWindow[window]}`;
  return `up to ${formatCount(more)} more ${nameCounted(field, more)} ${perWindow[window]}`;
}

/**
 * What the difference costs in a day if all of it is used, at what such calls have cost; null without past calls, for
 * no limit at all, and for what has no price of its own.
 */
export function computeDailyCost(
  field: RateLimitField,
  now: number | null,
  asked: number | null,
  past: PastCalls,
): Nano | null {
  if (asked === null || now === null) return null;
  const { counts, window } = rateLimitTable[field];
  const counted = counts === "requests" ? past.requests : counts === "tokens" ? past.tokens : 0;
  if (counted === 0) return null;
  const windows = window === "minute" ? MINUTES_A_DAY : 1;
  return toNano((past.amount * BigInt((asked - now) * windows)) / BigInt(counted));
}
