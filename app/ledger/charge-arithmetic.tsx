import { describeUnits } from "@/components/values/describe-units";
import { formatCount, groupDigits, trimDecimal } from "@/components/values/group-digits";
import { Money } from "@/components/values/money";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { ArithmeticLine } from "./arithmetic-line";
import { explainCharge } from "./explain-charge";

/** Shows how a charge was computed: usage × list price × model rate. Renders nothing for other entries. */
export function ChargeArithmetic({ entry }: { entry: LedgerEntry }) {
  const explained = explainCharge(entry);
  if (!explained) return null;
  const { promptTokens, completionTokens, inputPer1m, outputPer1m, rate, made, audio, listPrice, charge } =
    explained;
  return (
    <table className="w-full border-y [&_td]:py-1 [&_td:last-child]:text-right [&_th]:py-1 [&_th]:text-left [&_th]:font-normal">
      <caption className="sr-only">How this charge was computed</caption>
      <tbody>
        {(!made || promptTokens > 0) && (
          <ArithmeticLine name="Input">
            {formatCount(promptTokens)} tokens × {price(inputPer1m)} ÷ 1,000,000
          </ArithmeticLine>
        )}
        {(!made || completionTokens > 0) && (
          <ArithmeticLine name="Output">
            {formatCount(completionTokens)} tokens × {price(outputPer1m)} ÷ 1,000,000
          </ArithmeticLine>
        )}
        {audio && audio.promptTokens > 0 && (
          <ArithmeticLine name="Audio input">
            {formatCount(audio.promptTokens)} tokens × {price(audio.inputPer1m)} ÷ 1,000,000
          </ArithmeticLine>
        )}
        {audio && audio.completionTokens > 0 && (
          <ArithmeticLine name="Audio output">
            {formatCount(audio.completionTokens)} tokens × {price(audio.outputPer1m)} ÷ 1,000,000
          </ArithmeticLine>
        )}
        {made && (
          <ArithmeticLine name="Usage">
            {describeUnits(made.units, made.unit)} × {price(made.amount)}
          </ArithmeticLine>
        )}
        <ArithmeticLine name="List price">
          <Money amount={listPrice} />
        </ArithmeticLine>
        <ArithmeticLine name="Model rate">× {price(rate)}</ArithmeticLine>
        <tr className="border-t font-medium">
          <th scope="row" className="font-medium!">
            Charge
          </th>
          <td>
            <Money amount={charge} currency={entry.currency} />
          </td>
        </tr>
        {explained.cappedAt && (
          <ArithmeticLine name="Capped at the hold">
            <Money amount={explained.cappedAt} currency={entry.currency} />
          </ArithmeticLine>
        )}
      </tbody>
    </table>
  );
}

const price = (decimal: string) => groupDigits(trimDecimal(decimal));
