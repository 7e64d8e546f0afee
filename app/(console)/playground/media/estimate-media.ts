import type { PaneMediaCall } from "@/components/playground/media/media-call";
import type { ModelPrice, OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount, ZERO } from "@/lib/money/amount";
import { computeCharge, PARTS_PER_UNIT } from "@/lib/money/charge";
import { roughTokens } from "../panes/estimate-cost-so-far";

/** What a call costs, by the arithmetic of its charge, where the gateway has no preview. */
export interface MediaEstimate {
  readonly amount: string;
  readonly currency: string;
  /** `≈ 120 characters` */
  readonly size: string;
}

/**
 * Returns the estimate of a speech, transcription, embedding or moderation; null where its size or price is unknown.
 */
export function estimateMedia(call: PaneMediaCall, model: OrganizationModel): MediaEstimate | null {
  const { price, unit_price, currency } = model;
  const rate = parseCheckedAmount(model.rate);
  if (price && call.family === "transcription") return estimateTranscription(call, model, price);
  if (price) {
    const promptTokens = roughTokens(String(call.body.input ?? "").length);
    const snapshot = { inputPer1m: parseCheckedAmount(price.input_per_1m), outputPer1m: ZERO, rate };
    const amount = formatAmount(computeCharge({ promptTokens, completionTokens: 0 }, snapshot));
    return { amount, currency, size: `≈ ${promptTokens} tokens in` };
  }
  const size = unit_price && computeSize(call, unit_price.unit);
  if (!unit_price || !size) return null;
  const perUnit = { unit: unit_price.unit, amount: parseCheckedAmount(unit_price.amount) };
  const snapshot = { inputPer1m: ZERO, outputPer1m: ZERO, rate, perUnit };
  const usage = { promptTokens: 0, completionTokens: 0, units: Math.round(size.units * PARTS_PER_UNIT) };
  return { amount: formatAmount(computeCharge(usage, snapshot)), currency, size: size.text };
}

/** OpenAI's count. */
const AUDIO_TOKENS_PER_SECOND = 10;

/** The recording alone, since nobody knows what is said in it. */
function estimateTranscription(
  { recording }: PaneMediaCall,
  { audio_price, rate, currency }: OrganizationModel,
  price: ModelPrice,
): MediaEstimate | null {
  if (recording?.seconds === undefined) return null;
  const promptTokens = Math.ceil(recording.seconds * AUDIO_TOKENS_PER_SECOND);
  const inputPer1m = parseCheckedAmount((audio_price ?? price).input_per_1m);
  const snapshot = { inputPer1m, outputPer1m: ZERO, rate: parseCheckedAmount(rate) };
  const amount = formatAmount(computeCharge({ promptTokens, completionTokens: 0 }, snapshot));
  return { amount, currency, size: `≈ ${promptTokens} tokens in` };
}

function computeSize({ family, body, recording }: PaneMediaCall, unit: string) {
  if (family === "speech") {
    const characters = [body.input, body.instructions].map((text) => [...String(text ?? "")].length);
    const units = characters.reduce((sum, one) => sum + one, 0);
    return { units, text: `${units} characters` };
  }
  const seconds = recording?.seconds;
  if (family !== "transcription" || seconds === undefined) return null;
  return {
    units: unit === "minute" ? seconds / 60 : seconds,
    text: `≈ ${Math.ceil(seconds)} s of recording`,
  };
}
