import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { describeUnits } from "@/components/ui/values/describe-units";
import { Money } from "@/components/ui/values/money";
import type { PriceUnit } from "@/lib/contract/calls/model-families";
import {
  computePriceEffect,
  computeUnitPriceEffect,
  type TypedPrice,
  type TypedUnitPrice,
} from "./price-effect";

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
  const now = computePriceEffect(typed);
  const before = saved && computePriceEffect(saved);
  const rows = [
    { label: "A payment of 10.00 is worth", now: now.worth, before: before?.worth },
    { label: "1,000,000 input tokens cost", now: now.input, before: before?.input },
    { label: "1,000,000 output tokens cost", now: now.output, before: before?.output },
  ];
  const ofClasses = [
    {
      label: "1,000,000 cached input tokens cost",
      typed: typed.cached_input,
      now: now.cachedInput,
      before: before?.cachedInput,
    },
    {
      label: "1,000,000 audio input tokens cost",
      typed: typed.audio_input,
      now: now.audioInput,
      before: before?.audioInput,
    },
    {
      label: "1,000,000 audio output tokens cost",
      typed: typed.audio_output,
      now: now.audioOutput,
      before: before?.audioOutput,
    },
  ].filter((row) => row.typed);
  return <Effects rows={[...(inputOnly ? rows.slice(0, 2) : rows), ...ofClasses]} currency={currency} />;
}

type UnitPricePreviewProps = {
  typed: TypedUnitPrice;
  saved?: TypedUnitPrice;
  unit: PriceUnit;
  currency: string;
};

/** The same for a model that is priced by the unit. */
export function UnitPricePreview({ typed, saved, unit, currency }: UnitPricePreviewProps) {
  const now = computeUnitPriceEffect(typed, unit);
  const before = saved && computeUnitPriceEffect(saved, unit);
  const rows = [
    { label: "A payment of 10.00 is worth", now: now.worth, before: before?.worth },
    { label: `1 ${unit} costs`, now: now.one, before: before?.one },
    { label: `${describeUnits(String(now.many), unit)} cost`, now: now.cost, before: before?.cost },
  ];
  return <Effects rows={rows} currency={currency} />;
}

type Effect = {
  label: string;
  /** A decimal string; null if it depends on a missing or invalid number. */
  now: string | null;
  before: string | null | undefined;
};

function Effects({ rows, currency }: { rows: readonly Effect[]; currency: string }) {
  return (
    <Card>
      <h2 className="font-medium">What this means</h2>
      <dl aria-live="polite" className="mt-2 grid gap-2">
        {rows.map(({ label, now, before }) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{label}</dt>
            <dd className="ml-auto text-right">
              {before && now !== before && (
                <span className="mr-2 text-sm text-muted">
                  now <Money amount={before} />
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
        ))}
      </dl>
    </Card>
  );
}

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
