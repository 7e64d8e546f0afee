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
  const { cachedTokens, cacheWriteTokens = 0, cacheWrite1hTokens, reasoningTokens } = details;
  const prompt = {
    cached_tokens: cachedTokens,
    cache_write_tokens: details.cacheWriteTokens,
    audio_tokens: audio?.promptTokens,
  };
  const completion = { reasoning_tokens: reasoningTokens, audio_tokens: audio?.completionTokens };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(hasAny(prompt) && {
      prompt_tokens_details: cacheWrite1hTokens
        ? { ...prompt, cache_creation_token_details: toLifetimes(cacheWriteTokens, cacheWrite1hTokens) }
        : prompt,
    }),
    ...(hasAny(completion) && { completion_tokens_details: completion }),
    ...writeToolCalls(details),
  };
}

/** The calls of the provider's tools, in Anthropic's words. */
export function writeToolCalls({ toolCalls }: Pick<TokenUsage, "toolCalls">) {
  if (!toolCalls) return {};
  const uses = Object.entries(toolCalls).map(([name, calls]) => [`${name}_requests`, calls] as const);
  return { server_tool_use: Object.fromEntries(uses) };
}

/** The tokens written to a cache, by how long they are kept, in Anthropic's words. */
export function toLifetimes(cacheWriteTokens: number, cacheWrite1hTokens: number) {
  return {
    ephemeral_5m_input_tokens: cacheWriteTokens - cacheWrite1hTokens,
    ephemeral_1h_input_tokens: cacheWrite1hTokens,
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
