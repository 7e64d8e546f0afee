"use client";

import { ReadState } from "@/app/queries/read-state";
import { useRead } from "@/app/queries/use-read";
import { Skeleton } from "@/components/states/skeleton";
import { Card } from "@/components/ui/card";
import { Status } from "@/components/ui/status";
import { TextLink } from "@/components/ui/text-link";
import { Figure } from "@/components/values/figure";
import { Money } from "@/components/values/money";
import { RoundedMoney } from "@/components/values/rounded-money";
import { formatShortMoney } from "@/components/values/write-figures";
import { paths } from "@/lib/console/paths";
import type { ReadReply } from "@/lib/console/reads/reads";
import { parseCheckedAmount, ZERO } from "@/lib/money/amount";

const REFRESH_MS = 10_000;

/** Shows the available balance. */
export function BalancePanel() {
  const balance = useRead("retrieveBalance", undefined, { refetchInterval: REFRESH_MS });
  return (
    <ReadState read={balance} to="see the balance" skeleton={<Skeleton className="h-40 w-full" />}>
      {(figures) => <BalanceCard {...figures} />}
    </ReadState>
  );
}

function BalanceCard({ available, held, posted, currency }: ReadReply<"retrieveBalance">) {
  const isUsedUp = parseCheckedAmount(available) <= ZERO;
  const isRounded = formatShortMoney(available).startsWith("≈");
  return (
    <Card className="grid content-between gap-4">
      <Figure
        label="Available balance"
        note={isUsedUp && <Status tone="bad">Used up: calls are refused</Status>}
      >
        <RoundedMoney amount={parseCheckedAmount(available)} currency={currency} />
      </Figure>
      <dl className="grid gap-1 border-t pt-3 text-sm">
        {isRounded && <Part name="Exactly available" amount={available} />}
        <Part name="On hold" amount={held} />
        <Part name="Balance" amount={posted} />
      </dl>
      <TextLink href={paths.balance()} className="justify-self-start text-sm">
        View all payments and charges
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
