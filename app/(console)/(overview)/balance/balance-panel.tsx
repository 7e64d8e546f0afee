"use client";

import { useMemo } from "react";
import { FigureCard } from "@/app/(console)/(overview)/figures/figure-card";
import { movementReads } from "@/app/(console)/(overview)/overview-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { formatCount } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { listSpendBuckets } from "@/components/usage/list-spend-buckets";
import { usageReads } from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { UsageBucket } from "@/lib/contract/operations/usage/usage-summary";
import { type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";

const POLL_MS = 10_000;

type BalancePanelProps = {
  openedAt: number;
  /** Whether the person can read the spend and the ledger, from which the balance of the last week is known. */
  seesHistory: boolean;
};

/** Shows the available balance, what running calls hold of it, and the balance of the last week. */
export function BalancePanel({ openedAt, seesHistory }: BalancePanelProps) {
  const balance = useRead("retrieveBalance", undefined, { refetchInterval: POLL_MS });
  const history = useBalanceHistory(openedAt, seesHistory);
  return (
    <ReadState
      read={balance}
      to="see the balance"
      skeleton={<Skeleton className="h-44 w-full max-sm:h-30 rounded-md" />}
    >
      {({ available, currency, ...figures }) => (
        <FigureCard
          label="Available balance"
          href={paths.balance()}
          values={history}
          note={
            parseCheckedAmount(available) <= ZERO ? (
              <Status tone="bad">Used up: calls are refused</Status>
            ) : (
              describeHolds(figures)
            )
          }
        >
          <RoundedMoney amount={parseCheckedAmount(available)} currency={currency} />
        </FigureCard>
      )}
    </ReadState>
  );
}

/** "3.10 on hold · 12 calls running". */
function describeHolds({
  held,
  held_calls: calls,
}: Pick<ReadReply<"retrieveBalance">, "held" | "held_calls">): string {
  if (parseCheckedAmount(held) === ZERO) return "Nothing on hold";
  const amount = `${formatShortMoney(held)} on hold`;
  if (calls === undefined) return amount;
  return `${amount} · ${calls === 1 ? "1 call" : `${formatCount(calls)} calls`} running`;
}

/**
 * Returns the balance by hour of the last seven days, for drawing. Empty while it is unknown: before the screen is
 * painted, and with more payments or corrections than are read. `openedAt` in Unix seconds.
 */
function useBalanceHistory(openedAt: number, isAllowed: boolean): readonly number[] {
  const isWanted = useIsPainted() && isAllowed;
  const posted = useRead("retrieveBalance").data?.posted;
  const week = useRead(...usageReads(openedAt).week, { enabled: isWanted }).data;
  const reads = movementReads(usageReads(openedAt).week[1].start_time);
  const payments = useRead(...reads.payments, { enabled: isWanted }).data;
  const corrections = useRead(...reads.corrections, { enabled: isWanted }).data;
  return useMemo(() => {
    if (posted === undefined || !week || !payments || !corrections) return [];
    if (payments.has_more || corrections.has_more) return [];
    const buckets = listSpendBuckets(week);
    return buildBalanceHistory(posted, buckets, [...payments.data, ...corrections.data]).map(Number);
  }, [posted, week, payments, corrections]);
}

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
