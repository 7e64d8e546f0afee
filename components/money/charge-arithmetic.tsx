import type { ReactNode } from "react";
import { AlignedMoney } from "@/components/ui/values/aligned-money";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, formatDecimal } from "@/components/ui/values/group-digits";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
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
  const { classes, tools, reasoningTokens, notes } = explained;
  const column = [...above, listPrice, charge, explained.cappedAt ?? charge];
  return (
    <table className="w-full border-y [&_td]:py-1 [&_td:last-child]:text-right [&_th]:py-1 [&_th]:text-left [&_th]:font-normal">
      <caption className="sr-only">How this charge was computed</caption>
      <tbody>
        {(!made || promptTokens > 0) && <TokensLine name="Input" tokens={promptTokens} per1m={inputPer1m} />}
        {classes.map((one) => (
          <TokensLine key={one.name} {...one} />
        ))}
        {(!made || completionTokens > 0) && (
          <TokensLine name="Output" tokens={completionTokens} per1m={outputPer1m} />
        )}
        {reasoningTokens > 0 && (
          <ArithmeticLine name="of which reasoning">{formatCount(reasoningTokens)} tokens</ArithmeticLine>
        )}
        {audio && audio.promptTokens > 0 && (
          <TokensLine name="Audio input" tokens={audio.promptTokens} per1m={audio.inputPer1m} />
        )}
        {audio && audio.completionTokens > 0 && (
          <TokensLine name="Audio output" tokens={audio.completionTokens} per1m={audio.outputPer1m} />
        )}
        {tools.map(({ name, calls, amount }) => (
          <ArithmeticLine key={name} name={name}>
            {formatCount(calls)} {calls === 1 ? "call" : "calls"} × {formatDecimal(amount)}
          </ArithmeticLine>
        ))}
        {made && (
          <ArithmeticLine name="Usage">
            {describeUnits(made.units, made.unit)} × {formatDecimal(made.amount)}
          </ArithmeticLine>
        )}
        {notes.map((note) => (
          <tr key={note}>
            <td colSpan={2} className="text-left! text-sm text-muted">
              {note}
            </td>
          </tr>
        ))}
        <ArithmeticLine name="List price">
          <AlignedMoney amount={listPrice} column={column} />
        </ArithmeticLine>
        <ArithmeticLine name="Model rate">× {formatDecimal(rate)}</ArithmeticLine>
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

function TokensLine({ name, tokens, per1m }: { name: string; tokens: number; per1m: string }) {
  return (
    <ArithmeticLine name={name}>
      {formatCount(tokens)} tokens × {formatDecimal(per1m)} ÷ 1,000,000
    </ArithmeticLine>
  );
}

/** A line of a calculation: its name and its amount. */
export function ArithmeticLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className="text-muted">
        {name}
      </th>
      <td>{children}</td>
    </tr>
  );
}
