import { formatCount } from "@/components/ui/values/group-digits";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { computeCharge, computeListPrice, listPricedInput, type PricedTokens } from "@/lib/money/charge";
import { readPriceFields } from "@/lib/money/price-fields";

/** The arithmetic of a charge from the entry's usage and price snapshot. Amounts are decimal strings. */
export interface ChargeExplanation {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly inputPer1m: string;
  readonly outputPer1m: string;
  readonly rate: string;
  /** Output priced by the unit, such as 2.00 images, with the list price of one; null if only tokens were charged. */
  readonly made: { readonly units: string; readonly unit: string; readonly amount: string } | null;
  /** The tokens of audio, which the others don't include, with their prices; null if none were charged apart. */
  readonly audio: {
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly inputPer1m: string;
    readonly outputPer1m: string;
  } | null;
  /** The input that had a price of its own, which the rest doesn't include. */
  readonly classes: readonly { readonly name: string; readonly tokens: number; readonly per1m: string }[];
  /** The tools that the provider ran. */
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly amount: string }[];
  /** The part of the output that is reasoning. */
  readonly reasoningTokens: number;
  /** Why it was charged at these prices, where that needs a word. */
  readonly notes: readonly string[];
  readonly listPrice: string;
  readonly charge: string;
  /** The cap of the charge, if it was capped: customers never pay more than was held. Else null. */
  readonly cappedAt: string | null;
}

const classNames = {
  cachedInputPer1m: "Cached input",
  cacheWrite5mPer1m: "Cache write, 5 min",
  cacheWrite1hPer1m: "Cache write, 1 h",
} as const satisfies Record<PricedTokens["name"], string>;

const NANO_PER_MILLIONTH = 1_000n;

/** @returns null for an entry that isn't a call's charge. */
export function explainCharge(entry: LedgerEntry): ChargeExplanation | null {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, units, price } = entry;
  if (entry.kind !== "charge" || !price || promptTokens === null || completionTokens === null) return null;
  const audio = entry.audio &&
    price.audio && {
      promptTokens: entry.audio.prompt_tokens,
      completionTokens: entry.audio.completion_tokens,
      inputPer1m: price.audio.input_per_1m,
      outputPer1m: price.audio.output_per_1m,
    };
  const classes = readPriceFields(price, parseCheckedAmount);
  const snapshot = {
    inputPer1m: parseCheckedAmount(price.input_per_1m),
    outputPer1m: parseCheckedAmount(price.output_per_1m),
    rate: parseCheckedAmount(price.rate),
    ...(classes && { classes }),
    ...(price.per_unit && {
      perUnit: { unit: price.per_unit.unit, amount: parseCheckedAmount(price.per_unit.amount) },
    }),
    ...(audio && {
      audio: {
        inputPer1m: parseCheckedAmount(audio.inputPer1m),
        outputPer1m: parseCheckedAmount(audio.outputPer1m),
      },
    }),
  };
  const made = units !== undefined && price.per_unit ? { units, ...price.per_unit } : null;
  const usage = {
    promptTokens,
    completionTokens,
    ...(made && { units: Number(parseCheckedAmount(made.units) / NANO_PER_MILLIONTH) }),
    ...(audio && { audio }),
    cachedTokens: entry.cached_tokens,
    cacheWriteTokens: entry.cache_write_tokens,
    cacheWrite1hTokens: entry.cache_write_1h_tokens,
    toolCalls: entry.tool_calls,
  };
  const charge = computeCharge(usage, snapshot);
  const inputs = listPricedInput(usage, snapshot);
  const rest = inputs.reduce((left, { tokens }) => left - tokens, promptTokens);
  const heard = Math.min(audio?.promptTokens ?? 0, rest);
  return {
    promptTokens: rest - heard,
    completionTokens: completionTokens - (audio?.completionTokens ?? 0),
    inputPer1m: price.input_per_1m,
    outputPer1m: price.output_per_1m,
    rate: price.rate,
    made,
    audio: audio ? { ...audio, promptTokens: heard } : null,
    classes: inputs.map(({ name, tokens, per1m }) => ({
      name: classNames[name],
      tokens,
      per1m: formatAmount(per1m),
    })),
    tools: Object.entries(price.tools ?? {}).map(([name, amount]) => ({
      name,
      calls: entry.tool_calls?.[name] ?? 0,
      amount,
    })),
    reasoningTokens: entry.reasoning_tokens ?? 0,
    notes: listNotes(entry),
    listPrice: formatAmount(computeListPrice(usage, snapshot)),
    charge: formatAmount(charge),
    cappedAt: charge > parseCheckedAmount(entry.amount) ? entry.amount : null,
  };
}

function listNotes({ is_cache_contradicted, price }: LedgerEntry): string[] {
  const longFrom = price?.long_context_from;
  return [
    ...(longFrom === undefined
      ? []
      : [`At the prices of prompts with more than ${formatCount(longFrom)} tokens.`]),
    ...(price?.is_priority ? ["At the model rate of the provider’s priority."] : []),
    ...(is_cache_contradicted
      ? ["The provider’s figures of cached tokens contradict each other, so all are charged as input."]
      : []),
  ];
}
