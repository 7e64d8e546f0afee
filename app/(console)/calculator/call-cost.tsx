import { Card } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/section";
import { formatAmount } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { type Computed, costOfCall, readTokens } from "./calculate";
import { NumberBox } from "./number-box";

type CallCostProps = {
  price: PriceSnapshot;
  model: string;
  currency: string | undefined;
  typed: { in: string; out: string };
  change: (part: { in?: string; out?: string }) => void;
};

/** What one call of a model costs, from its token counts: the arithmetic of a charge in the ledger. */
export function CallCost({ price, model, currency, typed, change }: CallCostProps) {
  const [input, output] = [readTokens(typed.in), readTokens(typed.out)];
  const isTyped = [input, output].some(({ value }) => value !== null);
  const isFaulty = [input, output].some(({ fault }) => fault !== null);
  const cost = isTyped && !isFaulty ? costOfCall(input.value ?? 0, output.value ?? 0, price) : null;
  return (
    <Section title="One call" description={`What a call of ${model} is charged.`}>
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <NumberBox
            label="Tokens in"
            value={typed.in}
            onChange={(text) => change({ in: text })}
            fault={input.fault}
            unit="tokens"
          />
          <NumberBox
            label="Tokens out"
            value={typed.out}
            onChange={(text) => change({ out: text })}
            fault={output.fault}
            unit="tokens"
          />
        </div>
        {cost ? (
          <Card className="grid gap-6 sm:grid-cols-2">
            <Figure label="List price">
              <Cost {...cost.listPrice} currency={currency} />
            </Figure>
            <Figure label="Charge" note="List price × model rate, rounded once, to nine decimals.">
              <Cost {...cost.charge} currency={currency} />
            </Figure>
          </Card>
        ) : (
          <p className="text-muted">Enter how many tokens go in and come out to see what the call costs.</p>
        )}
      </div>
    </Section>
  );
}

function Cost({ amount, isRounded, currency }: Computed & { currency: string | undefined }) {
  return <Money amount={formatAmount(amount)} currency={currency} approximate={isRounded} />;
}
