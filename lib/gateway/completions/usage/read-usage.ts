import type { ReportedUsage, TokenUsage } from "@/lib/money/charge";
import { formatEvent } from "../../http/event-splitter";

const MAX_TOKENS = 1_000_000_000;

/** Usage as a provider reports it. */
export interface ProviderUsage extends ReportedUsage {
  /** The reasoning that it counted beside `completion_tokens`; here it is part of `completionTokens`. */
  readonly reasoningBeside?: number;
}

/**
 * The usage that a provider reports in `usage`. Null where it is implausible: missing, not whole numbers, negative, or
 * above 10^9. An explicit 0 is accepted.
 */
export function readUsage(usage: unknown): ProviderUsage | null {
  if (typeof usage !== "object" || usage === null) return null;
  const {
    prompt_tokens: promptTokens,
    completion_tokens: writtenTokens,
    prompt_tokens_details: details,
    completion_tokens_details: outputDetails,
  } = usage as Record<string, unknown>;
  if (!isTokenCount(promptTokens) || !isTokenCount(writtenTokens)) return null;
  const reasoningBeside = countReasoningBeside(usage, promptTokens + writtenTokens);
  const completionTokens = writtenTokens + reasoningBeside;
  const beside = reasoningBeside > 0 && { reasoningBeside };
  if (!details && !outputDetails) return { promptTokens, completionTokens, ...beside };
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
    ...beside,
  };
}

/**
 * xAI counts reasoning beside `completion_tokens`, and so do servers that translate Gemini's answers; its price is that
 * of output. The total then exceeds the sum by the reasoning, or by an amount that no detail explains.
 */
function countReasoningBeside(usage: object, sum: number): number {
  const {
    total_tokens: total,
    prompt_tokens_details: details,
    completion_tokens_details: outputDetails,
  } = usage as Record<string, unknown>;
  if (!isTokenCount(total) || total <= sum) return 0;
  const isReasoning = readTokenDetail(outputDetails, "reasoning_tokens") === total - sum;
  return isReasoning || (!details && !outputDetails) ? total - sum : 0;
}

/** Whether a provider's own `usage` shows what is charged, so that its reply needs no other. */
export function showsCharge(reported: ProviderUsage | null, charged: TokenUsage): boolean {
  return charged === reported && !reported.reasoningBeside;
}

/**
 * A number of tokens in `prompt_tokens_details` or `completion_tokens_details`; null where there is no plausible one.
 */
function readTokenDetail(
  details: unknown,
  name: "cached_tokens" | "audio_tokens" | "reasoning_tokens",
): number | null {
  const count =
    typeof details === "object" && details !== null ? (details as Record<string, unknown>)[name] : null;
  return isTokenCount(count) ? count : null;
}

/** Usage in the form of embeddings, which moderations share. */
export function toInputUsageObject({ promptTokens }: TokenUsage) {
  return { prompt_tokens: promptTokens, total_tokens: promptTokens };
}

/** Usage in the form of chat completions. */
export function toChatUsageObject(usage: TokenUsage | ProviderUsage) {
  const { promptTokens, completionTokens, audio } = usage;
  const cached_tokens = "cachedTokens" in usage ? usage.cachedTokens : undefined;
  const reasoning_tokens = "reasoningBeside" in usage ? usage.reasoningBeside : undefined;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...((audio || cached_tokens !== undefined) && {
      prompt_tokens_details: { cached_tokens, audio_tokens: audio?.promptTokens },
    }),
    ...((audio || reasoning_tokens !== undefined) && {
      completion_tokens_details: { reasoning_tokens, audio_tokens: audio?.completionTokens },
    }),
  };
}

/** The stream event that reports a usage. `head` has the `id`, `created` and `model` of its stream's chunks. */
export function formatUsageEvent(usage: TokenUsage, head: object): Buffer {
  const object = "chat.completion.chunk";
  return formatEvent({ ...head, object, choices: [], usage: toChatUsageObject(usage) });
}

export function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS;
}
