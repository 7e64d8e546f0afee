import { Notice } from "@/components/ui/notice";
import type { TypedPrice } from "./price-effect";
import { warnOfPrice } from "./warn-price";

/** What may be wrong about a typed rate or price. It can be saved all the same. */
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
