import { signThinking } from "../servers/anthropic-request-faults";
import type { OpenaiAnswer } from "../servers/openai-server";

/** An answer as all protocols mean it. */
export interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  readonly end: "end" | "length" | "calls" | "filter";
  readonly usage: AnswerUsage;
}

/** The prompt includes what was cached, and the completion what was reasoning. */
export interface AnswerUsage {
  readonly prompt: number;
  readonly cached: number;
  readonly written: number;
  readonly written1h: number;
  readonly completion: number;
  readonly reasoning: number;
}

const chatEnds = { end: "stop", length: "length", calls: "tool_calls", filter: "content_filter" } as const;
const messageEnds = { end: "end_turn", length: "max_tokens", calls: "tool_use", filter: "refusal" } as const;

/** The answer as a provider of chat completions gives it. */
export function toOpenaiAnswer({ thinking, text, calls, end, usage }: Answer): OpenaiAnswer {
  const { prompt, cached, written, written1h, completion, reasoning } = usage;
  return {
    message: {
      ...(thinking && { reasoning_content: thinking }),
      content: text ?? null,
      ...(calls && {
        tool_calls: calls.map(({ name, input }, index) => ({
          id: `call_${index}`,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
    finish_reason: chatEnds[end],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: {
        cached_tokens: cached,
        cache_write_tokens: written,
        cache_creation_token_details: {
          ephemeral_5m_input_tokens: written - written1h,
          ephemeral_1h_input_tokens: written1h,
        },
      },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  };
}

/** The answer as a provider of messages gives it. */
export function toAnthropicAnswer({ thinking, text, calls, end, usage }: Answer): Record<string, unknown> {
  const { prompt, cached, written, written1h, completion, reasoning } = usage;
  return {
    content: [
      ...(thinking ? [{ type: "thinking", thinking, signature: signThinking(thinking) }] : []),
      ...(text ? [{ type: "text", text }] : []),
      ...(calls ?? []).map(({ name, input }, index) => ({
        type: "tool_use",
        id: `toolu_${index}`,
        name,
        input,
      })),
    ],
    stop_reason: messageEnds[end],
    usage: {
      input_tokens: prompt - cached - written,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      cache_creation: {
        ephemeral_5m_input_tokens: written - written1h,
        ephemeral_1h_input_tokens: written1h,
      },
      output_tokens: completion,
      output_tokens_details: { thinking_tokens: reasoning },
    },
  };
}
