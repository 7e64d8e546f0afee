import { Notice } from "@/components/ui/notice";
import type { TypedPrice } from "./price-effect";
import { warnOfPrice } from "./warn-price";

/** Warns of a probably mistaken rate or price. Doesn't prevent saving. */
export function PriceWarnings({ typed, saved }: { typed: TypedPrice; saved?: TypedPrice }) {
  const warnings = warnOfPrice(typed, saved);
  return (
    <div aria-live="polite">
      {warnings.length > 0 && (
        <Notice tone="near" title="Check before you save">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}
