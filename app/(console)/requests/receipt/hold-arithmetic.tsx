import type { ReactNode } from "react";
import { ChargeArithmetic } from "@/components/money/charge-arithmetic";
import { TextLink } from "@/components/ui/links/text-link";
import { AlignedMoney } from "@/components/ui/values/aligned-money";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";

/** Shows a call's hold, the charge and its arithmetic, and the amount released. */
export function HoldArithmetic({ receipt: { hold, entries, request } }: { receipt: RequestReceipt }) {
  if (!hold) return <p className="text-muted">Nothing was reserved or charged.</p>;
  const charge = entries.find(({ kind }) => kind === "charge");
  const column = [hold.amount, request.amount, hold.released].filter((amount) => amount !== null);
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[1fr_auto] gap-y-2">
        <Line
          name="On hold, the most it could cost"
          amount={<AlignedMoney amount={hold.amount} column={column} />}
        />
        {request.amount !== null && (
          <Line name="Charged" amount={<AlignedMoney amount={`-${request.amount}`} column={column} />} />
        )}
        <Line
          isResult
          name="Given back"
          amount={
            hold.released === null ? (
              <span className="text-muted">when it ends</span>
            ) : (
              <AlignedMoney amount={hold.released} column={column} />
            )
          }
        />
      </dl>
      {charge && <ChargeArithmetic entry={charge} above={column} />}
      {entries.map(({ id, kind, amount, currency }) => (
        <p key={id} className="flex flex-wrap justify-between gap-x-4 text-sm">
          <span className="text-muted">
            {kind === "charge" ? "Ledger entry" : "Reported cost above the hold, not charged"}
          </span>
          <TextLink href={paths.ledgerEntry(id)}>
            <Money amount={amount} currency={currency} />
          </TextLink>
        </p>
      ))}
    </div>
  );
}

function Line({ name, amount, isResult = false }: { name: string; amount: ReactNode; isResult?: boolean }) {
  return (
    <>
      <dt className={isResult ? "border-t pt-2 font-medium" : "text-muted"}>{name}</dt>
      <dd className={isResult ? "border-t pt-2 text-right font-medium" : "text-right"}>{amount}</dd>
    </>
  );
}
