import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { UsageBucket } from "@/lib/contract/operations/usage/usage-summary";
import { type Nano, parseCheckedAmount, toNano } from "@/lib/money/amount";

type Movement = Pick<LedgerEntry, "created_at" | "balance_change">;

/**
 * Returns the balance at the end of each bucket, oldest first: the present one, less later payments, plus later spend.
 * @param buckets the spend, oldest first; the last one ends now.
 * @param movements all payments and corrections since the first bucket began.
 */
export function buildBalanceHistory(
  posted: string,
  buckets: readonly Pick<UsageBucket, "start_time" | "amount">[],
  movements: readonly Movement[],
): Nano[] {
  let balance = parseCheckedAmount(posted);
  let end = Number.POSITIVE_INFINITY;
  return buckets
    .toReversed()
    .map(({ start_time: start, amount }) => {
      const atEnd = balance;
      const moved = movements
        .filter(({ created_at: at }) => at >= start && at < end)
        .reduce((sum, { balance_change: change }) => sum + parseCheckedAmount(change), 0n);
      balance = toNano(atEnd + parseCheckedAmount(amount) - moved);
      end = start;
      return atEnd;
    })
    .toReversed();
}
