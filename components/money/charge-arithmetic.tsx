import { AlignedMoney } from "@/components/ui/values/aligned-money";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, groupDigits, trimDecimal } from "@/components/ui/values/group-digits";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { ArithmeticLine } from "./arithmetic-line";
import { explainCharge } from "./explain-charge";

type ChargeArithmeticProps = {
  entry: LedgerEntry;
  /** Amounts above it, with whose points its own are aligned. */
  above?: readonly string[];
};

/** Shows how a charge was computed: usage × list price × model rate. Renders nothing for other entries. */
export function ChargeArithmetic({ entry, above = [] }: ChargeArithmeticProps) {
  const explained = explainCharge(entry);
  if (!explained) return null;
  const { promptTokens, completionTokens, inputPer1m, outputPer1m, rate, made, audio, listPrice, charge } =
    explained;
  const column = [...above, listPrice, charge, explained.cappedAt ?? charge];
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
          <AlignedMoney amount={listPrice} column={column} />
        </ArithmeticLine>
        <ArithmeticLine name="Model rate">× {price(rate)}</ArithmeticLine>
        <tr className="border-t font-medium">
          <th scope="row" className="font-medium!">
            Charge <span className="text-xs font-normal text-muted">{entry.currency}</span>
          </th>
          <td>
            <AlignedMoney amount={charge} column={column} />
          </td>
        </tr>
        {explained.cappedAt && (
          <ArithmeticLine name="Capped at the hold">
            <AlignedMoney amount={explained.cappedAt} column={column} />
          </ArithmeticLine>
        )}
      </tbody>
    </table>
  );
}

const price = (decimal: string) => groupDigits(trimDecimal(decimal));
