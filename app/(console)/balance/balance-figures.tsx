"use client";

import type { ReactNode } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import type { ReadReply } from "@/lib/console/reads/reads";
import { parseCheckedAmount, ZERO } from "@/lib/money/amount";

const POLL_MS = 5_000;

/** The three live figures of the balance: available = balance − on hold. */
export function BalanceFigures({ pay }: { pay: (() => void) | null }) {
  const balance = useRead("retrieveBalance", undefined, { refetchInterval: POLL_MS });
  return (
    <div className="mb-8">
      <ReadState
        read={balance}
        to="see the balance"
        skeleton={<Skeleton className="h-28 w-full rounded-md" />}
      >
        {(figures) => <Figures {...figures} pay={pay} />}
      </ReadState>
    </div>
  );
}

type FiguresProps = ReadReply<"retrieveBalance"> & { pay: (() => void) | null };

function Figures({ available, held, posted, currency, pay }: FiguresProps) {
  return (
    <div className="grid gap-4">
      <Card className="grid gap-6 sm:grid-cols-3">
        <Figure label="Available" note={exactly(available, "The amount that can be spent on calls.")}>
          <RoundedMoney amount={parseCheckedAmount(available)} currency={currency} />
        </Figure>
        <Figure
          label="On hold"
          note={exactly(held, "Reserved for calls in progress. The unused part is released.")}
        >
          <RoundedMoney amount={parseCheckedAmount(held)} currency={currency} />
        </Figure>
        <Figure
          label="Balance"
          note={exactly(
            posted,
            "Payments less charges, with their corrections. Available is the balance less what is on hold.",
          )}
        >
          <RoundedMoney amount={parseCheckedAmount(posted)} currency={currency} />
        </Figure>
      </Card>
      {parseCheckedAmount(available) <= ZERO && (
        <Notice
          tone="bad"
          title="The balance is used up"
          actions={pay && <Button onClick={pay}>Record payment</Button>}
        >
          Calls are refused until a payment is recorded.
        </Notice>
      )}
    </div>
  );
}

/** Adds the exact amount to the note of a rounded figure. */
function exactly(amount: string, note: string): ReactNode {
  if (!formatShortMoney(amount).startsWith("≈")) return note;
  return (
    <>
      <span className="block">
        Exactly <Money amount={amount} />
      </span>
      {note}
    </>
  );
}
