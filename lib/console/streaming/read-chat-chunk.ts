import * as z from "zod/mini";
import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { orNull } from "../gateway/or-null";
import { createProblem } from "../gateway/problem";
import { readStreamProblem } from "../gateway/read-problem";
import type { ChatEvent } from "./chat-event";

const tokenUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  prompt_tokens_details: orNull(z.object({ cached_tokens: orNull(z.number()) })),
  completion_tokens_details: orNull(z.object({ reasoning_tokens: orNull(z.number()) })),
});

const toolCall = z.object({
  index: orNull(z.number()),
  id: orNull(z.string()),
  function: orNull(z.object({ name: orNull(z.string()), arguments: orNull(z.string()) })),
});

const messagePart = orNull(
  z.object({
    content: z.optional(z.unknown()),
    refusal: orNull(z.string()),
    reasoning_content: orNull(z.string()),
    reasoning: orNull(z.string()),
    tool_calls: orNull(z.array(toolCall)),
  }),
);

/** A `chat.completion.chunk` or a whole `chat.completion`: the former has `delta`, the latter `message`. */
const completion = z.object({
  choices: orNull(
    z.array(
      z.object({
        index: orNull(z.number()),
        delta: messagePart,
        message: messagePart,
        finish_reason: orNull(z.string()),
      }),
    ),
  ),
  usage: orNull(tokenUsage),
  error: z.optional(z.unknown()),
});

/**
 * The events of a chat completion's chunk, or of a whole completion: of its first answer, if several were asked for.
 */
export function* readChatChunk(json: unknown, requestId: string | null): Generator<ChatEvent> {
  const result = completion.safeParse(json);
  if (!result.success) {
    const message = "The gateway's answer is not a chat completion.";
    yield { type: "problem", problem: createProblem("failed", message, { requestId }) };
    return;
  }
  const { choices, usage, error } = result.data;
  if (error !== undefined && error !== null) {
    yield { type: "problem", problem: readStreamProblem(json, requestId) };
    return;
  }
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  const words = choice?.delta ?? choice?.message;
  const thinking = words && readThinking(words);
  if (thinking) yield { type: "thinking", text: thinking };
  const text = words && readText(words);
  if (text) yield { type: "text", text };
  for (const [callIndex, call] of (words?.tool_calls ?? []).entries()) {
    const { name = null, arguments: input } = call.function ?? {};
    yield { type: "tool_call", index: call.index ?? callIndex, id: call.id, name, arguments: input ?? "" };
  }
  if (choice?.finish_reason) yield { type: "finish", reason: choice.finish_reason };
  if (usage) {
    yield {
      type: "usage",
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
      totalTokens: usage.total_tokens,
      cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? undefined,
      reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? undefined,
    };
  }
}
