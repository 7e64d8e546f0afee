import { parseAmount } from "@/lib/money/amount";
import type { TypedPrice } from "./price-effect";

const words = {
  rate: "model rate",
  input_per_1m: "input list price",
  output_per_1m: "output list price",
} as const;
type PriceField = keyof typeof words;
const fields = Object.keys(words) as PriceField[];

/** Common mistakes about the number of tokens a price is for, recognized by their factor to the present price. */
const units = [
  { factor: 1_000_000n, per: "per token" },
  { factor: 1_000n, per: "per 1,000 tokens" },
] as const;
/** A change by more than this factor is rare enough to ask about. */
const OUTLIER = 10n;
/** A lower list price per 1,000,000 tokens, in nano-units, isn't free but cheaper than any known model's. */
const MIN_PRICE = 100_000n;

/**
 * Returns a question for each rate or price that is probably mistaken: meant for another number of tokens, or far from the
 * present one. Doesn't refuse anything.
 */
export function warnOfPrice(typed: TypedPrice, saved: TypedPrice | undefined): string[] {
  return fields.flatMap((field) => {
    const [now, before] = [parseAmount(typed[field]), parseAmount(saved?.[field] ?? "")];
    if (now === null || now <= 0n || now === before) return [];
    const isPrice = field !== "rate";
    if (before === null || before <= 0n) {
      return isPrice && now < MIN_PRICE
        ? [`Is the ${words[field]} one of a single token? It is for 1,000,000.`]
        : [];
    }
    const question = isPrice ? unitQuestion(now, before, words[field]) : null;
    return question ? [question] : outlierQuestion(now, before, words[field]);
  });
}

/** Asks if a price differs from the present one by roughly the factor of another unit. */
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

/** Returns true if the two differ by at most a factor of three. */
function isNear(one: bigint, other: bigint): boolean {
  return one <= other * 3n && other <= one * 3n;
}

function outlierQuestion(now: bigint, before: bigint, name: string): string[] {
  if (now >= before * OUTLIER) return [`The ${name} is ${now / before} × the present one. Is that right?`];
  if (before >= now * OUTLIER) return [`The ${name} is the present one ÷ ${before / now}. Is that right?`];
  return [];
}
