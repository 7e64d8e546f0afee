import type { PriceUnit } from "@/lib/contract/calls/model-families";
import { type Nano, readNano, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge, PARTS_PER_UNIT } from "@/lib/money/charge";
import type { CallSum, GroupField } from "./usage-reader.sql";

/**
 * The cost of one direction of one model's tokens, or of what it made or heard at a price by the unit, within a bucket
 * and a group.
 */
export interface LineItem extends Pick<CallSum, "bucket" | "group"> {
  /** `<model>, input_tokens`, `<model>, output_tokens` or `<model>, images`, as OpenAI names them. */
  readonly name: string;
  readonly quantity: number;
  /** OpenAI's name of the quantity's unit; null if it has none. */
  readonly unit: "tokens" | "images" | "duration_seconds" | "characters" | null;
  readonly amount: Nano;
}

/** How items of prices by the unit are named. Minutes are counted in seconds. */
const unitItems: Readonly<Record<PriceUnit, { noun: string; unit: LineItem["unit"] }>> = {
  image: { noun: "images", unit: "images" },
  megapixel: { noun: "megapixels", unit: null },
  second: { noun: "seconds", unit: "duration_seconds" },
  minute: { noun: "seconds", unit: "duration_seconds" },
  character: { noun: "characters", unit: "characters" },
};

/** The additional fields that sums must be grouped by to be itemized. */
export const itemFields: readonly GroupField[] = [
  "model",
  "input_per_1m",
  "output_per_1m",
  "audio_input_per_1m",
  "rate",
  "unit",
];

/** The line items of the sum of one model's calls at one price. */
export function itemizeCosts(sum: CallSum): LineItem[] {
  const { bucket, group, mediaOutput, amount } = sum;
  if (!isPriceUnit(group.unit)) return itemizeTokens(sum);
  const { noun, unit } = unitItems[group.unit];
  const quantity = (mediaOutput?.parts ?? 0) / PARTS_PER_UNIT;
  return [{ bucket, group, name: `${group.model}, ${noun}`, quantity, unit, amount }];
}

const isPriceUnit = (unit: string | null | undefined): unit is PriceUnit =>
  typeof unit === "string" && Object.hasOwn(unitItems, unit);

/**
 * Splits the sum of one model's calls at one price into two line items. The ledger charges each call once for both
 * directions: the input costs its list price × rate, and the output the rest, so that the items add up to the ledger's
 * amount exactly.
 */
function itemizeTokens(sum: CallSum): LineItem[] {
  const { bucket, group, inputTokens, outputTokens, audioInputTokens, amount } = sum;
  const { audio_input_per_1m: audioPrice = null } = group;
  const price = {
    inputPer1m: readNano(group.input_per_1m ?? 0),
    outputPer1m: readNano(group.output_per_1m ?? 0),
    rate: readNano(group.rate ?? 0),
    // Audio without a price of its own costs as much as text.
    ...(audioPrice !== null && { audio: { inputPer1m: readNano(audioPrice), outputPer1m: ZERO } }),
  };
  const audio = { promptTokens: audioInputTokens, completionTokens: 0 };
  const list = computeCharge({ promptTokens: inputTokens, completionTokens: 0, audio }, price);
  // A charge never exceeds its hold, so it may be below its list price.
  const input = outputTokens === 0 || list > amount ? amount : list;
  const item = (direction: "input" | "output", tokens: number, cost: bigint): LineItem => ({
    bucket,
    group,
    name: `${group.model}, ${direction}_tokens`,
    quantity: tokens,
    unit: "tokens",
    amount: toNano(cost),
  });
  return [item("input", inputTokens, input), item("output", outputTokens, amount - input)];
}

/** The total of line items: their amounts and quantities. */
export function sumLineItems(items: readonly Pick<LineItem, "quantity" | "amount">[]) {
  return items.reduce(
    (total, { quantity, amount }) => ({
      quantity: total.quantity + quantity,
      amount: toNano(total.amount + amount),
    }),
    { quantity: 0, amount: ZERO },
  );
}
