import { formatCount } from "@/components/ui/values/group-digits";
import type { PriceUnit } from "@/lib/contract/calls/model-families";
import { parseAmount } from "@/lib/money/amount";
import type { TypedPrice, TypedUnitPrice } from "./price-effect";

const words = {
  rate: "model rate",
  batch_rate: "batch rate",
  input_per_1m: "input list price",
  output_per_1m: "output list price",
  audio_input: "audio input price",
  audio_output: "audio output price",
  cached_input: "cached input price",
  cache_write_5m: "cache write price (5 minutes)",
  cache_write_1h: "cache write price (1 hour)",
  long_input: "long prompt input price",
  long_output: "long prompt output price",
} as const;
type PriceField = keyof typeof words;
const fields = Object.keys(words) as PriceField[];
/** Typed rates and prices. A model without a price of audio charges its tokens as text. */
type TypedPrices = TypedPrice & Partial<Record<PriceField, string>>;

/** Common mistakes about the number of tokens a price is for, recognized by their factor to the present price. */
const units = [
  { factor: 1_000_000n, per: "per token" },
  { factor: 1_000n, per: "per 1,000 tokens" },
] as const;
/** A change by more than this factor is rare enough to ask about. */
const OUTLIER = 10n;
/** A lower list price per 1,000,000 tokens, in nano-units, isn't free but cheaper than any known model's. */
const MIN_PRICE = 100_000n;
/** A higher one is above any known model's. */
const MAX_PRICE = 100_000_000_000_000n;

/**
 * Returns a question for each rate or price that is probably mistaken: meant for another number of tokens, or far from
 * the present one. Doesn't refuse anything.
 */
export function findUnlikelyPrices(typed: TypedPrices, saved: TypedPrices | undefined): string[] {
  return fields.flatMap((field) => {
    const [now, before] = [parseAmount(typed[field] ?? ""), parseAmount(saved?.[field] ?? "")];
    if (now === null || now <= 0n || now === before) return [];
    const isPrice = field !== "rate" && field !== "batch_rate";
    if (before === null || before <= 0n) return isPrice ? newPriceQuestion(now, words[field]) : [];
    const question = isPrice ? unitQuestion(now, before, words[field]) : null;
    return question ? [question] : outlierQuestion(now, before, words[field]);
  });
}

/** Asks about a price without a present one, by its size alone. */
function newPriceQuestion(now: bigint, name: string): string[] {
  if (now < MIN_PRICE) return [`Is the ${name} one of a single token? It is for 1,000,000.`];
  if (now > MAX_PRICE) return [`Is the ${name} one of more than 1,000,000 tokens? It is for 1,000,000.`];
  return [];
}

/** Asks if a price differs from the present one by roughly the factor of another unit. */
function unitQuestion(now: bigint, before: bigint, name: string): string | null {
  for (const { factor, per } of units) {
    const written = formatCount(factor);
    if (isNear(now, before * factor))
      return `The ${name} is about ${written} × the present one: is it meant for less than 1,000,000 tokens?`;
    if (isNear(now * factor, before))
      return `The ${name} is about the present one ÷ ${written}: is it the price ${per}? It is for 1,000,000.`;
  }
  return null;
}

/** Other quantities that prices of a unit are quoted for, by their size in units. */
const quotedFor: Readonly<Record<PriceUnit, readonly { times: bigint; quantity: string }[]>> = {
  image: [{ times: 1_000n, quantity: "1,000 images" }],
  megapixel: [{ times: 1_000n, quantity: "1,000 megapixels" }],
  second: [
    { times: 60n, quantity: "a minute" },
    { times: 3_600n, quantity: "an hour" },
  ],
  minute: [{ times: 60n, quantity: "an hour" }],
  character: [
    { times: 1_000n, quantity: "1,000 characters" },
    { times: 1_000_000n, quantity: "1,000,000 characters" },
  ],
};
/** Smaller quantities: prices of a part of the unit. */
const partsByUnit: Readonly<Partial<Record<PriceUnit, { times: bigint; quantity: string }>>> = {
  minute: { times: 60n, quantity: "a second" },
  megapixel: { times: 1_000_000n, quantity: "a pixel" },
};
/** A higher list price of one unit, in nano-units, is above any known model's. */
const maxPrices: Readonly<Record<PriceUnit, bigint>> = {
  image: 100_000_000_000n,
  megapixel: 100_000_000_000n,
  second: 100_000_000_000n,
  minute: 100_000_000_000n,
  character: 10_000_000n,
};

/** The same for a model that is priced by the unit. */
export function warnAboutUnitPrice(
  typed: TypedUnitPrice,
  saved: TypedUnitPrice | undefined,
  unit: PriceUnit,
): string[] {
  const [rate, rateBefore] = [parseAmount(typed.rate), parseAmount(saved?.rate ?? "")];
  const isRated = rate !== null && rateBefore !== null && rate > 0n && rateBefore > 0n && rate !== rateBefore;
  const ofRate = isRated ? outlierQuestion(rate, rateBefore, words.rate) : [];
  const [now, before] = [parseAmount(typed.amount), parseAmount(saved?.amount ?? "")];
  if (now === null || now <= 0n || now === before) return ofRate;
  if (before === null || before <= 0n) {
    const isHigh = now > maxPrices[unit];
    return isHigh ? [...ofRate, `Is the list price one of several ${unit}s? It is for one ${unit}.`] : ofRate;
  }
  const question = quantityQuestion(now, before, unit);
  return [...ofRate, ...(question ? [question] : outlierQuestion(now, before, "list price"))];
}

/** Asks if a price differs from the present one by roughly the size of another quantity. */
function quantityQuestion(now: bigint, before: bigint, unit: PriceUnit): string | null {
  // The closest quantity first: 3,600 is nearer to an hour than to a minute.
  for (const { times, quantity } of quotedFor[unit].toReversed()) {
    if (isNear(now, before * times))
      return `The list price is about ${formatCount(times)} × the present one: is it the price of ${quantity}? It is for one ${unit}.`;
  }
  const part = partsByUnit[unit];
  if (part && isNear(now * part.times, before))
    return `The list price is about the present one ÷ ${formatCount(part.times)}: is it the price of ${part.quantity}? It is for one ${unit}.`;
  return null;
}

/** Returns true if the two differ by at most a factor of three. */
function isNear(one: bigint, other: bigint): boolean {
  return one <= other * 3n && other <= one * 3n;
}

function outlierQuestion(now: bigint, before: bigint, name: string): string[] {
  if (now >= before * OUTLIER) return [`The ${name} is ${now / before} × the present one. Is that right?`];
  if (before >= now * OUTLIER) return [`The ${name} is the present one ÷ ${before / now}. Is that right?`];
  return [];
}
