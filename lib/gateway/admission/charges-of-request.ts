import type { Nano } from "@/lib/money/amount";
import { affordableOutputTokens, chargeFor } from "@/lib/money/charge";
import type { AdmissionRequest } from "./admissions";

/** The most that a request can cost with so much output of each choice. */
export function mostCharge(request: AdmissionRequest, maxOutputTokens: number): Nano {
  const { price, choices, units } = request;
  const promptTokens = mostPromptTokensOf(request);
  return chargeFor({ promptTokens, completionTokens: maxOutputTokens * choices, units }, price);
}

/** The charge for the units or the prompt and, where there is output, one token of it per choice. */
export function leastCharge(request: AdmissionRequest): Nano {
  return mostCharge(request, Math.min(1, request.maxOutputTokens));
}

/** The most output of one choice that an amount covers; -1 where it does not cover the prompt, or all the units. */
export function coveredOutput(request: AdmissionRequest, amount: Nano): number {
  const { price, choices, units, maxOutputTokens } = request;
  if (mostCharge(request, maxOutputTokens) <= amount) return maxOutputTokens;
  // What is made by the unit is not made smaller.
  if (units !== undefined) return -1;
  const affordable = affordableOutputTokens(mostPromptTokensOf(request), price, amount);
  return Math.min(maxOutputTokens, Math.floor(affordable / choices));
}

function mostPromptTokensOf({ mostPromptTokens, promptTokens }: AdmissionRequest): number {
  return mostPromptTokens ?? promptTokens;
}
