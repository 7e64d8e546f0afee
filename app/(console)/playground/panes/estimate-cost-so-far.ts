import type { CallState } from "@/components/playground/messages/message";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { readPriceFields } from "@/lib/money/price-fields";

/** A rough average. */
const CHARACTERS_PER_TOKEN = 4;

/** Estimates how many tokens a provider would count. */
export function roughTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Estimates the cost of an answer so far with the arithmetic of the final charge; null if the price is unknown. */
export function estimateCostSoFar(
  { request }: CallState,
  tokensOut: number,
  model: OrganizationModel | undefined,
) {
  if (!model?.price || !request) return null;
  const price = {
    inputPer1m: parseCheckedAmount(model.price.input_per_1m),
    outputPer1m: parseCheckedAmount(model.price.output_per_1m),
    rate: parseCheckedAmount(model.rate),
    classes: readPriceFields(model.price, parseCheckedAmount),
  };
  const promptTokens = roughTokens(promptCharacters(request));
  const charge = computeCharge({ promptTokens, completionTokens: tokensOut }, price);
  return { amount: formatAmount(charge), currency: model.currency };
}

const sizes = new WeakMap<object, number>();

/** Cached, because this runs several times a second for the same request. */
function promptCharacters(request: object): number {
  const known = sizes.get(request);
  if (known !== undefined) return known;
  const { messages, system, instructions, input } = request as Readonly<Record<string, unknown>>;
  const size = charactersIn([system, messages, instructions, input]);
  sizes.set(request, size);
  return size;
}

/** Counts text only. Files are skipped: their encoded length says nothing about their tokens. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.startsWith("data:") ? 0 : value.length;
  if (typeof value !== "object" || value === null) return 0;
  const skipped = ["role", "type", "id", "tool_call_id", "call_id"];
  return Object.entries(value).reduce(
    (sum, [name, one]) => (skipped.includes(name) ? sum : sum + charactersIn(one)),
    0,
  );
}
