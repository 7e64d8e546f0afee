import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import type { CallSum, GroupField } from "./usage-reader";

/** The cost of one direction of one model's tokens, within a bucket and a group. */
export interface LineItem extends Pick<CallSum, "bucket" | "group"> {
  /** `<model>, input_tokens` or `<model>, output_tokens`, as OpenAI names them. */
  readonly name: string;
  readonly tokens: number;
  readonly amount: Nano;
}

/** The additional fields that sums must be grouped by to be itemized. */
export const itemFields: readonly GroupField[] = [
  "model",
  "input_per_1m",
  "output_per_1m",
  "audio_input_per_1m",
  "rate",
];

/**
 * Splits the sum of one model's calls at one price into two line items. The ledger charges each call once for both
 * directions: the input costs its list price × rate, and the output the rest, so that the items add up to the ledger's
 * amount exactly.
 */
export function itemizeCosts(sum: CallSum): LineItem[] {
  const { bucket, group, inputTokens, outputTokens, audioInputTokens, amount } = sum;
  const { audio_input_per_1m: audioPrice = null } = group;
  const price = {
    inputPer1m: nano(group.input_per_1m),
    outputPer1m: nano(group.output_per_1m),
    rate: nano(group.rate),
    // Audio without a price of its own costs as much as text.
    ...(audioPrice !== null && { audio: { inputPer1m: nano(audioPrice), outputPer1m: ZERO } }),
  };
  const audio = { promptTokens: audioInputTokens, completionTokens: 0 };
  const list = computeCharge({ promptTokens: inputTokens, completionTokens: 0, audio }, price);
  // A charge never exceeds its hold, so it may be below its list price.
  const input = outputTokens === 0 || list > amount ? amount : list;
  const item = (direction: "input" | "output", tokens: number, cost: bigint) => ({
    bucket,
    group,
    name: `${group.model}, ${direction}_tokens`,
    tokens,
    amount: toNano(cost),
  });
  return [item("input", inputTokens, input), item("output", outputTokens, amount - input)];
}

/** The total of line items: their amounts and tokens. */
export function sumLineItems(items: readonly Pick<LineItem, "tokens" | "amount">[]) {
  return items.reduce(
    (total, { tokens, amount }) => ({
      tokens: total.tokens + tokens,
      amount: toNano(total.amount + amount),
    }),
    { tokens: 0, amount: ZERO },
  );
}

function nano(text: string | null | undefined): Nano {
  return toNano(BigInt(text ?? 0));
}
