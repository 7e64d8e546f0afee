"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { formatCount } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { paths } from "@/lib/console/paths";
import type { ReadReply } from "@/lib/console/reads/reads";
import { parseCheckedAmount, ZERO } from "@/lib/money/amount";
import { FigureCard } from "../figures/figure-card";
import { useBalanceHistory } from "./use-balance-history";

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
