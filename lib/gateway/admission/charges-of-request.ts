import type { Nano } from "@/lib/money/amount";
import { affordableOutputTokens, chargeFor, dearestPrice, type PriceSnapshot } from "@/lib/money/charge";
import type { AdmissionRequest } from "./admissions";

/** The largest possible charge of a request with this much output per choice. */
export function maxCharge(request: AdmissionRequest, maxOutputTokens: number): Nano {
  const { choices, units, maxUnits = units } = request;
  const price = holdPriceOf(request);
  const promptTokens = maxPromptTokensOf(request);
  return chargeFor({ promptTokens, completionTokens: maxOutputTokens * choices, units: maxUnits }, price);
}

/** The charge for the units, or for the prompt with one output token per choice where there is output. */
export function minCharge(request: AdmissionRequest): Nano {
  return maxCharge(request, Math.min(1, request.maxOutputTokens));
}

/** The largest output of one choice that an amount covers; -1 where it covers neither the prompt nor the units. */
export function coveredOutput(request: AdmissionRequest, amount: Nano): number {
  const { choices, units, maxOutputTokens } = request;
  if (maxCharge(request, maxOutputTokens) <= amount) return maxOutputTokens;
  // What is priced by the unit can't be shortened.
  if (units !== undefined) return -1;
  const affordable = affordableOutputTokens(maxPromptTokensOf(request), holdPriceOf(request), amount);
  return Math.min(maxOutputTokens, Math.floor(affordable / choices));
}

/** Only the provider knows which tokens are audio, so all are held for at the dearer price. */
function holdPriceOf({ price }: AdmissionRequest): PriceSnapshot {
  return price.audio ? dearestPrice(price) : price;
}

function maxPromptTokensOf({ maxPromptTokens, promptTokens }: AdmissionRequest): number {
  return maxPromptTokens ?? promptTokens;
}
