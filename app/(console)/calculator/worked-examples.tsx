import type { ReactNode } from "react";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { chargeExamples, statementExamples, unitExamples, worthExamples } from "@/lib/money/worked-examples";

/** Examples computed by hand. Tests check the ledger's and this page's arithmetic against them. */
export function WorkedExamples() {
  return (
    <details className="mt-8 rounded-md border bg-surface p-4">
      <summary className="rounded-sm font-medium">Worked examples</summary>
      <p className="mt-2 max-w-prose text-muted">
        These were calculated by hand. Tests compare the calculator, the estimates, the statements and the
        ledger with them, and with an independent library for decimals.
      </p>
      <ul className="mt-3 grid gap-3">
        {worthExamples.map(({ payment, rate, worth, shows }) => (
          <Example key={shows} shows={shows}>
            {groupDigits(payment)} ÷ {rate} → {groupDigits(worth)}
          </Example>
        ))}
        {chargeExamples.map((example) => (
          <Example key={example.shows} shows={example.shows}>
            ({formatCount(example.promptTokens)} × {example.inputPer1m} +{" "}
            {formatCount(example.completionTokens)} × {example.outputPer1m}) ÷ 1,000,000 × {example.rate} →{" "}
            {groupDigits(example.charge)}
          </Example>
        ))}
        {unitExamples.map(({ shows, units, unit, amount, rate, charge }) => (
          <Example key={shows} shows={shows}>
            {describeUnits(units, unit)} × {amount} × {rate} → {groupDigits(charge)}
          </Example>
        ))}
        {statementExamples.map(({ shows, opening, payments, charges, corrections, closing }) => (
          <Example key={shows} shows={shows}>
            {opening} + {payments} − {charges} +{" "}
            {corrections.startsWith("-") ? `(${corrections})` : corrections} = {closing}
          </Example>
        ))}
      </ul>
    </details>
  );
}

function Example({ children, shows }: { children: ReactNode; shows: string }) {
  return (
    <li className="grid gap-0.5">
      <span className="font-medium wrap-anywhere">{children}</span>
      <span className="text-sm text-muted">{shows}</span>
    </li>
  );
}
