"use client";

import { ProblemState } from "@/app/queries/problem-state";
import { useRead } from "@/app/queries/use-read";
import { Card } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { Money } from "@/components/ui/money";
import { Skeleton } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import { amountOf, ZERO } from "@/lib/money/amount";

const REFRESH_MS = 10_000;

/** What calls can still be paid with. */
export function BalancePanel() {
  const balance = useRead("retrieveBalance", undefined, { refetchInterval: REFRESH_MS });
  if (!balance.data && balance.error) {
    const retry = () => void balance.refetch();
    return <ProblemState problem={balance.error.problem} to="see the balance" retry={retry} />;
  }
  if (!balance.data) return <Skeleton className="h-40 w-full" />;
  const { available, held, posted, currency } = balance.data;
  const isUsedUp = amountOf(available) <= ZERO;
  return (
    <Card className="grid content-between gap-4">
      <Figure
        label="Available balance"
        note={isUsedUp && <Status tone="bad">Used up: calls are refused</Status>}
      >
        <span className="text-2xl">
          <Money amount={available} currency={currency} />
        </span>
      </Figure>
      <dl className="grid gap-1 border-t pt-3 text-sm">
        <Part name="Posted" amount={posted} />
        <Part name="Held by calls in flight" amount={held} />
      </dl>
      <TextLink href={paths.balance()} className="justify-self-start text-sm">
        See every payment and charge
      </TextLink>
    </Card>
  );
}

function Part({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  );
}
