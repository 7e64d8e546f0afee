import type { ReportedUsage, TokenUsage } from "@/lib/money/charge";
import { eventOf } from "../../http/event-splitter";

const MAX_TOKENS = 1_000_000_000;

/**
 * The usage that a provider reports in `usage`. Null where it is implausible: missing, not whole numbers, negative, or
 * above 10^9. An explicit 0 is accepted.
 */
export function readUsage(usage: unknown): ReportedUsage | null {
  if (typeof usage !== "object" || usage === null) return null;
  const {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: details,
  } = usage as Record<string, unknown>;
  if (!isTokenCount(promptTokens) || !isTokenCount(completionTokens)) return null;
  if (typeof details !== "object" || details === null) return { promptTokens, completionTokens };
  const { cached_tokens: cachedTokens } = details as { cached_tokens?: unknown };
  if (!isTokenCount(cachedTokens)) return { promptTokens, completionTokens };
  return { promptTokens, completionTokens, cachedTokens: Math.min(cachedTokens, promptTokens) };
}

/** Usage in the form of embeddings, which moderations share. */
export function inputUsageObject({ promptTokens }: TokenUsage) {
  return { prompt_tokens: promptTokens, total_tokens: promptTokens };
}

/** Usage in the form of chat completions. */
export function usageObject({ promptTokens, completionTokens }: TokenUsage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** The stream event that reports a usage. */
export function usageEventOf(usage: TokenUsage): Buffer {
  return eventOf({ object: "chat.completion.chunk", choices: [], usage: usageObject(usage) });
}

function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS;
}
