import type { TokenUsage } from "@/lib/money/charge";
import { formatEvent } from "../../http/event-splitter";
import type { UsageDetails } from "./read-usage";

/** Usage in the form of embeddings, which moderations share. */
export function toInputUsageObject({ promptTokens }: TokenUsage) {
  return { prompt_tokens: promptTokens, total_tokens: promptTokens };
}

/** Usage in the form of chat completions, with what its provider told beside. */
export function toChatUsageObject({
  promptTokens,
  completionTokens,
  audio,
  ...details
}: TokenUsage & UsageDetails) {
  const { cachedTokens, cacheWriteTokens, reasoningTokens } = details;
  const prompt = {
    cached_tokens: cachedTokens,
    cache_write_tokens: cacheWriteTokens,
    audio_tokens: audio?.promptTokens,
  };
  const completion = { reasoning_tokens: reasoningTokens, audio_tokens: audio?.completionTokens };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(hasAny(prompt) && { prompt_tokens_details: prompt }),
    ...(hasAny(completion) && { completion_tokens_details: completion }),
  };
}

function hasAny(details: Readonly<Record<string, number | undefined>>): boolean {
  return Object.values(details).some((count) => count !== undefined);
}

/** The stream event that reports a usage. `head` has the `id`, `created` and `model` of its stream's chunks. */
export function formatUsageEvent(usage: TokenUsage & UsageDetails, head: object): Buffer {
  const object = "chat.completion.chunk";
  return formatEvent({ ...head, object, choices: [], usage: toChatUsageObject(usage) });
}
