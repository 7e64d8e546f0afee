"use client";

import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { Money } from "@/components/ui/money";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { amountOf, ZERO } from "@/lib/money/amount";

const REFRESH_MS = 5_000;

/** The three figures of the balance, live: available = posted − held. */
export function BalanceFigures({ pay }: { pay: (() => void) | null }) {
  const balance = useRead("retrieveBalance", undefined, { refetchInterval: REFRESH_MS });
  if (!balance.data && balance.error) {
    const retry = () => void balance.refetch();
    return <ProblemState problem={balance.error.problem} to="see the balance" retry={retry} />;
  }
  if (!balance.data) return <Skeleton className="mb-8 h-28 w-full rounded-md" />;
  const { available, held, posted, currency } = balance.data;
  return (
    <div className="mb-8 grid gap-4">
      <StaleNotice read={balance} />
      <Card className="grid gap-6 sm:grid-cols-3">
        <Figure label="Available" note="What the next calls can be paid with.">
          <span className="text-2xl">
            <Money amount={available} currency={currency} />
          </span>
        </Figure>
        <Figure label="Held" note="Set aside for calls in flight; what they don’t cost comes back.">
          <Money amount={held} currency={currency} />
        </Figure>
        <Figure label="Posted" note="Payments less charges. Available is posted less held.">
          <Money amount={posted} currency={currency} />
        </Figure>
      </Card>
      {amountOf(available) <= ZERO && (
        <Notice
          tone="bad"
          title="The balance is used up"
          actions={pay && <Button onClick={pay}>Record payment</Button>}
        >
          Calls are refused with 402 until a payment is recorded.
        </Notice>
      )}
    </div>
  );
}
