import type { ReportedUsage, TokenUsage } from "@/lib/money/charge";
import { formatEvent } from "../../http/event-splitter";

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
    completion_tokens_details: outputDetails,
  } = usage as Record<string, unknown>;
  if (!isTokenCount(promptTokens) || !isTokenCount(completionTokens)) return null;
  if (!details && !outputDetails) return { promptTokens, completionTokens };
  const cachedTokens = readTokenDetail(details, "cached_tokens");
  const audio = {
    promptTokens: Math.min(readTokenDetail(details, "audio_tokens") ?? 0, promptTokens),
    completionTokens: Math.min(readTokenDetail(outputDetails, "audio_tokens") ?? 0, completionTokens),
  };
  const hasAudio = audio.promptTokens + audio.completionTokens > 0;
  return {
    promptTokens,
    completionTokens,
    ...(cachedTokens !== null && { cachedTokens: Math.min(cachedTokens, promptTokens) }),
    ...(hasAudio && { audio }),
  };
}

/** A number of tokens in `prompt_tokens_details` or `completion_tokens_details`; null where there is no plausible one. */
function readTokenDetail(details: unknown, name: "cached_tokens" | "audio_tokens"): number | null {
  const count =
    typeof details === "object" && details !== null ? (details as Record<string, unknown>)[name] : null;
  return isTokenCount(count) ? count : null;
}

/** Usage in the form of embeddings, which moderations share. */
export function toInputUsageObject({ promptTokens }: TokenUsage) {
  return { prompt_tokens: promptTokens, total_tokens: promptTokens };
}

/** Usage in the form of chat completions. */
export function toChatUsageObject({ promptTokens, completionTokens, audio }: TokenUsage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(audio && {
      prompt_tokens_details: { audio_tokens: audio.promptTokens },
      completion_tokens_details: { audio_tokens: audio.completionTokens },
    }),
  };
}

/** The stream event that reports a usage. */
export function formatUsageEvent(usage: TokenUsage): Buffer {
  return formatEvent({ object: "chat.completion.chunk", choices: [], usage: toChatUsageObject(usage) });
}

export function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS;
}
