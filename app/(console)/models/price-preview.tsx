import { Card } from "@/components/ui/card";
import { Money } from "@/components/ui/money";
import { effectOf, type PriceEffect, type TypedPrice } from "./price-effect";

const rows: readonly { id: keyof PriceEffect; words: string }[] = [
  { id: "worth", words: "A payment of 10.00 is worth" },
  { id: "input", words: "1,000,000 input tokens cost" },
  { id: "output", words: "1,000,000 output tokens cost" },
];

type PricePreviewProps = {
  typed: TypedPrice;
  /** The saved values, for comparison. */
  saved?: TypedPrice;
  currency: string;
  /** Set for models that write no tokens. */
  inputOnly?: boolean;
};

/** Shows what the typed numbers mean in money before they are saved. */
export function PricePreview({ typed, saved, currency, inputOnly = false }: PricePreviewProps) {
  const effect = effectOf(typed);
  const before = saved && effectOf(saved);
  return (
    <Card>
      <h2 className="font-medium">What this means</h2>
      <dl aria-live="polite" className="mt-2 grid gap-2">
        {rows
          .filter(({ id }) => !(inputOnly && id === "output"))
          .map(({ id, words }) => {
            const now = effect[id];
            const was = before?.[id];
            return (
              <div key={id} className="flex flex-wrap items-baseline justify-between gap-x-4">
                <dt className="text-muted">{words}</dt>
                <dd className="ml-auto text-right">
                  {was && now !== was && (
                    <span className="mr-2 text-sm text-muted">
                      now <Money amount={was} />
                    </span>
                  )}
                  {now === null ? (
                    <span className="text-muted">not known yet</span>
                  ) : (
                    <span className="font-medium">
                      <Money amount={now} currency={currency} />
                    </span>
                  )}
                </dd>
              </div>
            );
          })}
      </dl>
    </Card>
  );
}
