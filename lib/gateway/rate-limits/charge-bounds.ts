import type { Nano } from "@/lib/money/amount";
import {
  computeCharge,
  countAffordableOutputTokens,
  findHighestPrice,
  type PriceSnapshot,
  type TokenUsage,
} from "@/lib/money/charge";
import type { Admission, AdmissionRequest } from "./admissions";

/** The output that is held for where a call without a limit would otherwise take much of the balance. */
export const MODEST_OUTPUT_TOKENS = 16_384;
/** So many calls without a limit must be covered for one of them to be held for its largest output. */
const CALLS_BESIDE = 50n;

/**
 * The output of one choice to hold for if an amount covers it. A call without a limit may fill the model's window, and
 * hardly any call does. So it is held for the whole window only if the amount covers many such calls.
 */
export function findOutputToHold(request: AdmissionRequest, maxCharge: Nano, amount: Nano): number {
  const { isOpenEnded, maxOutputTokens } = request;
  if (!isOpenEnded || maxOutputTokens <= MODEST_OUTPUT_TOKENS) return maxOutputTokens;
  return maxCharge * CALLS_BESIDE <= amount ? maxOutputTokens : MODEST_OUTPUT_TOKENS;
}

/** So many calls at once are expected. */
const CALLS_AT_ONCE = 256n;

/** Whether an amount wouldn't cover the upper bounds of so many prompts. */
export function isTightFor(request: AdmissionRequest, amount: Nano): boolean {
  return computeMaxCharge(request, 0) * CALLS_AT_ONCE > amount;
}

/** The largest possible charge of a request with this much output per choice. */
export function computeMaxCharge(request: AdmissionRequest, maxOutputTokens: number): Nano {
  const { choices, units, maxUnits = units } = request;
  const price = holdPrice(request);
  const promptTokens = findLargestPrompt(request);
  const completionTokens = maxOutputTokens * choices;
  const toolCalls = findMostToolCalls(request);
  return computeCharge({ promptTokens, completionTokens, units: maxUnits, toolCalls }, price);
}

function findMostToolCalls({ toolCalls, choices }: AdmissionRequest): TokenUsage["toolCalls"] {
  if (!toolCalls) return undefined;
  return Object.fromEntries(Object.entries(toolCalls).map(([name, { max }]) => [name, max * choices]));
}

/**
 * What the limits count of the tokens that a provider reports: at most the model's context window, or the prompt where
 * that may be larger, and the output that the call may have. So no provider that reports more stops a model for hours.
 */
export function countTokens(
  { request, maxOutputTokens, estimatedTokens }: Admission,
  { promptTokens, completionTokens }: TokenUsage,
): number {
  const maxPromptTokens = Math.max(request.contextTokens ?? 0, findLargestPrompt(request));
  const maxTokens = Math.max(estimatedTokens, maxPromptTokens + maxOutputTokens * request.choices);
  return Math.min(promptTokens + completionTokens, maxTokens);
}

/**
 * The charge for what can't be shortened: the units, or the prompt with one output token per choice where there is
 * output.
 */
export function computeMinCharge(request: AdmissionRequest): Nano {
  const { holdsWholeOutput, maxOutputTokens } = request;
  return computeMaxCharge(request, holdsWholeOutput ? maxOutputTokens : Math.min(1, maxOutputTokens));
}

/** The largest output of one choice that an amount covers; -1 where it doesn't cover what can't be shortened. */
export function computeCoveredOutput(request: AdmissionRequest, amount: Nano): number {
  const { choices, units, maxOutputTokens, holdsWholeOutput = false } = request;
  if (computeMaxCharge(request, maxOutputTokens) <= amount) return maxOutputTokens;
  if (units !== undefined || holdsWholeOutput) return -1;
  const affordable = countAffordableOutputTokens(findLargestPrompt(request), holdPrice(request), amount, {
    toolCalls: findMostToolCalls(request),
  });
  return Math.min(maxOutputTokens, Math.floor(affordable / choices));
}

/** Only the provider knows which tokens are audio or cached, so all are held for at the dearest price. */
function holdPrice(request: AdmissionRequest): PriceSnapshot {
  const { price, cacheWrite } = request;
  return findHighestPrice(price, { maxPromptTokens: findLargestPrompt(request), cacheWrite });
}

function findLargestPrompt({ maxPromptTokens, promptTokens }: AdmissionRequest): number {
  return maxPromptTokens ?? promptTokens;
}
