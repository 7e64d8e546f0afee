import { ArithmeticLine } from "@/components/money/arithmetic-line";
import { entryKinds } from "@/components/money/ledger-entry-columns";
import { Money } from "@/components/ui/values/money";
import type { Balance, LedgerEntry } from "@/lib/contract/operations/money/balance";
import { isZeroDecimal } from "@/lib/money/amount";
import { computeCorrectionEffect } from "./correction-parts";

type PreviewProps = { entry: LedgerEntry; typed: string; balance: Balance | undefined };

/** Shows the corrected amount, what remains of the entry, and the balance before and after. */
export function CorrectionPreview({ entry, typed, balance }: PreviewProps) {
  const effect = computeCorrectionEffect(entry, typed, balance?.available);
  const { kind, amount, corrected, currency } = entry;
  const isCorrected = !isZeroDecimal(corrected ?? "0");
  const falls = effect?.after?.startsWith("-") === true;
  return (
    <table
      aria-live="polite"
      className="w-full border-y text-sm [&_td]:py-1.5 [&_td]:text-right [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-normal"
    >
      <caption className="sr-only">What this correction does, in {currency}</caption>
      <tbody>
        <ArithmeticLine name={entryKinds[kind]}>
          <Money amount={amount} />
        </ArithmeticLine>
        {isCorrected && (
          <ArithmeticLine name="Corrected before">
            <Money amount={`-${corrected}`} />
          </ArithmeticLine>
        )}
        <ArithmeticLine name="This correction">
          {effect ? <Money amount={`-${typed}`} /> : "…"}
        </ArithmeticLine>
        <ArithmeticLine name="Left of the entry">
          {effect ? <Money amount={effect.left} currency={currency} /> : "…"}
        </ArithmeticLine>
        {balance && (
          <tr className="border-t">
            <th scope="row" className="text-muted">
              Available before and after
            </th>
            <td>
              <Money amount={balance.available} /> <span aria-hidden>→</span>{" "}
              <span className="sr-only">to</span>{" "}
              {effect?.after ? <Money amount={effect.after} currency={currency} /> : "…"}
            </td>
          </tr>
        )}
      </tbody>
      {falls && (
        <tfoot>
          <tr>
            <td colSpan={2} className="text-left! text-danger">
              The available balance is less than this correction. Correct a smaller part, or record a payment
              first.
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
