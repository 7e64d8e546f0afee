import type { Nano } from "@/lib/money/amount";
import { computeCharge, type ReportedUsage } from "@/lib/money/charge";
import type { AdmissionRequest } from "../../rate-limits/admissions";

/** The charge of a call that writes as much output as expected. */
export function computeExpectedCharge(request: AdmissionRequest): Nano {
  const { promptTokens, expectedOutputTokens, choices, units, price } = request;
  const completionTokens = expectedOutputTokens * choices;
  return computeCharge(withPromptAudio({ promptTokens, completionTokens, units }, request), price);
}

/** A usage that isn't reported, with the audio of the prompt as it was estimated. */
export function withPromptAudio(
  usage: ReportedUsage,
  { audioTokens, price }: Pick<AdmissionRequest, "audioTokens" | "price">,
): ReportedUsage {
  if (!price.audio || !audioTokens || usage.audio?.promptTokens) return usage;
  const promptTokens = Math.min(audioTokens, usage.promptTokens);
  return { ...usage, audio: { promptTokens, completionTokens: usage.audio?.completionTokens ?? 0 } };
}
