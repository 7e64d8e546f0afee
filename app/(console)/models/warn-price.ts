import { parseAmount } from "@/lib/money/amount";
import type { TypedPrice } from "./price-effect";

const words = {
  rate: "model rate",
  input_per_1m: "input list price",
  output_per_1m: "output list price",
} as const;
type PriceField = keyof typeof words;
const fields = Object.keys(words) as PriceField[];

/** How often a price is meant for another number of tokens, and how that looks: × the present price, or ÷ it. */
const units = [
  { factor: 1_000_000n, per: "per token" },
  { factor: 1_000n, per: "per 1,000 tokens" },
] as const;
/** A change of more than this, up or down, is rare enough to be asked about. */
const OUTLIER = 10n;
/** A list price of 1,000,000 tokens below this, in nano-units, is dearer than free and cheaper than any model's. */
const LEAST_PRICE = 100_000n;

/**
 * What a typed rate or price may be wrong about, in a question for each: another unit than 1,000,000 tokens, or much more or less
 * than the present one. Nothing is refused by it.
 */
export function warnOfPrice(typed: TypedPrice, saved: TypedPrice | undefined): string[] {
  return fields.flatMap((field) => {
    const [now, before] = [parseAmount(typed[field]), parseAmount(saved?.[field] ?? "")];
    if (now === null || now <= 0n || now === before) return [];
    const isPrice = field !== "rate";
    if (before === null || before <= 0n) {
      return isPrice && now < LEAST_PRICE
        ? [`Is the ${words[field]} one of a single token? It is for 1,000,000.`]
        : [];
    }
    const question = isPrice ? unitQuestion(now, before, words[field]) : null;
    return question ? [question] : outlierQuestion(now, before, words[field]);
  });
}

/** A price that is roughly some unit's factor away from the present one. */
function unitQuestion(now: bigint, before: bigint, name: string): string | null {
  for (const { factor, per } of units) {
    const written = factor.toLocaleString("en");
    if (isNear(now, before * factor))
      return `The ${name} is about ${written} × the present one: is it meant for less than 1,000,000 tokens?`;
    if (isNear(now * factor, before))
      return `The ${name} is about the present one ÷ ${written}: is it the price ${per}? It is for 1,000,000.`;
  }
  return null;
}

/** Within a factor of three. */
function isNear(one: bigint, other: bigint): boolean {
  return one <= other * 3n && other <= one * 3n;
}

function outlierQuestion(now: bigint, before: bigint, name: string): string[] {
  if (now >= before * OUTLIER) return [`The ${name} is ${now / before} × the present one. Is that right?`];
  if (before >= now * OUTLIER) return [`The ${name} is the present one ÷ ${before / now}. Is that right?`];
  return [];
}
