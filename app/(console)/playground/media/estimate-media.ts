import { PARTS_PER_UNIT } from "@/lib/contract/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { amountOf, formatAmount, ZERO } from "@/lib/money/amount";
import { chargeFor } from "@/lib/money/charge";
import { roughTokens } from "../panes/cost-so-far";
import type { PaneMediaCall } from "./media-call";

/** What a call costs, by the arithmetic of its charge, where the gateway has no preview. */
export interface MediaEstimate {
  readonly amount: string;
  readonly currency: string;
  /** `≈ 120 characters` */
  readonly size: string;
}

/** Returns the estimate of a speech, transcription, embedding or moderation; null where its size or price is unknown. */
export function estimateMedia(call: PaneMediaCall, model: OrganizationModel): MediaEstimate | null {
  const { price, unit_price, currency } = model;
  const rate = amountOf(model.rate);
  if (price) {
    const promptTokens = roughTokens(String(call.body.input ?? "").length);
    const snapshot = { inputPer1m: amountOf(price.input_per_1m), outputPer1m: ZERO, rate };
    const amount = formatAmount(chargeFor({ promptTokens, completionTokens: 0 }, snapshot));
    return { amount, currency, size: `≈ ${promptTokens} tokens in` };
  }
  const size = unit_price && sizeOf(call, unit_price.unit);
  if (!unit_price || !size) return null;
  const perUnit = { unit: unit_price.unit, amount: amountOf(unit_price.amount) };
  const snapshot = { inputPer1m: ZERO, outputPer1m: ZERO, rate, perUnit };
  const usage = { promptTokens: 0, completionTokens: 0, units: Math.round(size.units * PARTS_PER_UNIT) };
  return { amount: formatAmount(chargeFor(usage, snapshot)), currency, size: size.words };
}

function sizeOf({ family, body, recording }: PaneMediaCall, unit: string) {
  if (family === "speech") {
    const characters = [body.input, body.instructions].map((text) => [...String(text ?? "")].length);
    const units = characters.reduce((sum, one) => sum + one, 0);
    return { units, words: `${units} characters` };
  }
  const seconds = recording?.seconds;
  if (family !== "transcription" || seconds === undefined) return null;
  return {
    units: unit === "minute" ? seconds / 60 : seconds,
    words: `≈ ${Math.ceil(seconds)} s of recording`,
  };
}
