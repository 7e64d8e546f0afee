import {
  describePriceClasses,
  describeUnitPrice,
  tidyAmount,
} from "@/components/ui/values/describe-unit-price";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { AudioPrice, ModelPrice, UnitPrice } from "@/lib/contract/operations/models/models";
import type { PriceFields } from "@/lib/money/price-fields";

/** A model's prices from one price change to the next. */
export interface PriceVersion extends Prices {
  /** The change that set them; null for the prices before the earliest change. */
  readonly event: AuditLog | null;
}

/**
 * Returns a model's price versions from audit events, in their order (newest first), and last the prices before the
 * earliest of them. Skips events without prices.
 */
export function readPriceVersions(events: readonly AuditLog[]): PriceVersion[] {
  const changes = events.flatMap((event) => {
    const change = event.changes.find(({ object }) => object === "model_prices" || object === "models");
    return change?.after ? [{ event, change }] : [];
  });
  const versions = changes.map(({ event, change }) => ({ event, ...readPrices(change.after ?? {}) }));
  const first = changes.at(-1)?.change;
  const before = first?.before ?? first?.default_before;
  return before && "rate" in before ? [...versions, { event: null, ...readPrices(before) }] : versions;
}

/** Reads a stored row. Models priced by the unit have zeros as token prices there. */
function readPrices({
  rate,
  batch_rate,
  input_per_1m,
  output_per_1m,
  unit_price,
  audio_price,
  price_classes,
}: Record<string, unknown>): Prices {
  const unitPrice = typeof unit_price === "string" ? (JSON.parse(unit_price) as UnitPrice) : null;
  const classes = typeof price_classes === "string" ? (JSON.parse(price_classes) as PriceFields) : {};
  return {
    rate: String(rate),
    ...(typeof batch_rate === "string" && { batch_rate }),
    price: unitPrice
      ? null
      : { input_per_1m: String(input_per_1m), output_per_1m: String(output_per_1m), ...classes },
    unit_price: unitPrice,
    ...(typeof audio_price === "string" && { audio_price: JSON.parse(audio_price) as AudioPrice }),
  };
}

/** A model's rate and prices. In a scheduled change, null means unchanged. */
interface Prices {
  readonly rate: string | null;
  /** Absent where it is unchanged; null where batch lines have the model rate. */
  readonly batch_rate?: string | null | undefined;
  readonly price: ModelPrice | null;
  readonly unit_price: UnitPrice | null;
  /** Absent where it is unchanged; null where tokens of audio cost as much as those of text. */
  readonly audio_price?: AudioPrice | null | undefined;
}

/** Describes each part, such as "rate 0.20" and "1.00 in, 2.00 out". */
export function describePrice({ rate, batch_rate, price, unit_price, audio_price }: Prices): string[] {
  return [
    ...(rate === null ? [] : [`rate ${tidyAmount(rate)}`]),
    ...(batch_rate === undefined
      ? []
      : [batch_rate === null ? "no batch rate" : `batch rate ${tidyAmount(batch_rate)}`]),
    ...(price === null ? [] : [perMillion(price), describePriceClasses(price) ?? []].flat()),
    ...(unit_price === null ? [] : [describeUnitPrice(unit_price)]),
    ...(audio_price === undefined
      ? []
      : [audio_price === null ? "audio priced as text" : `audio ${perMillion(audio_price)}`]),
  ];
}

function perMillion({ input_per_1m, output_per_1m }: ModelPrice): string {
  return `${tidyAmount(input_per_1m)} in, ${tidyAmount(output_per_1m)} out per 1M tokens`;
}
