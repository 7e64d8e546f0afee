import { Notice } from "@/components/ui/notice";

/**
 * Questions about a probably mistaken rate or price, from `findUnlikelyPrices` or `warnAboutUnitPrice`. Doesn't prevent
 * saving.
 */
export function PriceWarnings({ warnings }: { warnings: readonly string[] }) {
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
