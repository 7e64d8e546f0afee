import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { chargeFor } from "@/lib/money/charge";
import type { CallSum, GroupField } from "./usage-reader";

/** What one direction of one model's tokens cost within a bucket and a group. */
export interface LineItem extends Pick<CallSum, "bucket" | "group"> {
  /** `<model>, input_tokens` or `<model>, output_tokens`, as OpenAI names them. */
  readonly name: string;
  readonly tokens: number;
  readonly amount: Nano;
}

/** What sums have to be grouped by, besides what is asked for, to be itemized. */
export const itemFields: readonly GroupField[] = ["model", "input_per_1m", "output_per_1m", "rate"];

/**
 * The two line items of a sum of calls of one model at one price. The ledger charges a call once, for both directions: the
 * input costs its list price × rate, the output the rest, so that the two come to the ledger's amount exactly.
 */
export function itemizeCosts({ bucket, group, inputUnits, outputUnits, amount }: CallSum): LineItem[] {
  const price = {
    inputPer1m: nano(group.input_per_1m),
    outputPer1m: nano(group.output_per_1m),
    rate: nano(group.rate),
  };
  const list = chargeFor({ promptTokens: inputUnits, completionTokens: 0 }, price);
  // A charge never exceeds its hold, so it may be less than its list price.
  const input = outputUnits === 0 || list > amount ? amount : list;
  const item = (direction: "input" | "output", tokens: number, cost: bigint) => ({
    bucket,
    group,
    name: `${group.model}, ${direction}_tokens`,
    tokens,
    amount: toNano(cost),
  });
  return [item("input", inputUnits, input), item("output", outputUnits, amount - input)];
}

/** What costs come to: their amounts and tokens together. */
export function totalOf(items: readonly Pick<LineItem, "tokens" | "amount">[]) {
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
