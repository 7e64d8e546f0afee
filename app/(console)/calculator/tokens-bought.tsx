import { Card } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { Quantity } from "@/components/ui/quantity";
import { Section } from "@/components/ui/section";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { tokensFor } from "./calculate";

/** The most tokens a payment buys of a model, of one kind or the other. */
export function TokensBought({ paid, price, model }: { paid: Nano; price: PriceSnapshot; model: string }) {
  const { input, output } = tokensFor(paid, price);
  return (
    <Section title="What it buys" description={`Of ${model}, at its list prices: one or the other.`}>
      <Card className="grid gap-6 sm:grid-cols-2">
        <Figure label="Input tokens">
          <Tokens count={input} />
        </Figure>
        <Figure label="Output tokens">
          <Tokens count={output} />
        </Figure>
      </Card>
    </Section>
  );
}

function Tokens({ count }: { count: number }) {
  return Number.isFinite(count) ? <Quantity value={count} /> : "as many as you like: free";
}
