import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { createAnthropicClient } from "../clients/anthropic-client";
import { officialClient } from "../clients/official-client";
import type { ServedGateway } from "../gateways/serve-gateway";
import type { Answer, AnswerUsage } from "./answer";

type Fields = Record<string, unknown>;

/** An answer as its client read it, with the id of its request. */
interface ReadAnswer {
  readonly answer: Answer;
  readonly requestId: string | null;
}

const ends: Readonly<Record<string, Answer["end"]>> = {
  stop: "end",
  length: "length",
  tool_calls: "calls",
  content_filter: "filter",
  end_turn: "end",
  max_tokens: "length",
  tool_use: "calls",
  refusal: "filter",
};

/** Asks for a chat completion by the official SDK, whole or streamed. */
export async function askForChat(
  gateway: Pick<ServedGateway, "baseUrl" | "key">,
  body: Fields,
  isStream: boolean,
): Promise<ReadAnswer> {
  const client = officialClient(gateway.baseUrl, gateway.key);
  if (!isStream) {
    const params = body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const { data, response } = await client.chat.completions.create(params).withResponse();
    const [choice] = data.choices;
    const answer = readChat(choice?.message as unknown as Fields, choice?.finish_reason, data.usage);
    return { answer, requestId: response.headers.get("x-request-id") };
  }
  const params = { ...body, stream: true, stream_options: { include_usage: true } };
  const { data, response } = await client.chat.completions
    .create(params as unknown as OpenAI.ChatCompletionCreateParamsStreaming)
    .withResponse();
  const message: Fields = {};
  const calls: { function: { name: string; arguments: string } }[] = [];
  let reason: string | null | undefined;
  let usage: unknown;
  for await (const chunk of data) {
    usage = chunk.usage ?? usage;
    const [choice] = chunk.choices;
    if (!choice) continue;
    reason = choice.finish_reason ?? reason;
    const { tool_calls, ...texts } = choice.delta;
    for (const [name, text] of Object.entries(texts))
      if (typeof text === "string") message[name] = `${message[name] ?? ""}${text}`;
    for (const { index, function: piece } of tool_calls ?? []) {
      const call = (calls[index] ??= { function: { name: "", arguments: "" } });
      call.function.name += piece?.name ?? "";
      call.function.arguments += piece?.arguments ?? "";
    }
  }
  if (calls.length > 0) message.tool_calls = calls;
  return { answer: readChat(message, reason, usage), requestId: response.headers.get("x-request-id") };
}

function readChat(message: Fields, reason: unknown, usage: unknown): Answer {
  const calls = (message.tool_calls ?? []) as { function: { name: string; arguments: string } }[];
  return withoutEmpty({
    thinking: String(message.reasoning_content ?? ""),
    text: String(message.content || message.refusal || ""),
    calls: calls.map(({ function: called }) => ({
      name: called.name,
      input: JSON.parse(called.arguments) as object,
    })),
    end: ends[String(reason)] ?? "end",
    usage: readChatUsage(usage),
  });
}

function readChatUsage(usage: unknown): AnswerUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = (usage ??
    {}) as Record<string, Fields | undefined>;
  const lifetimes = prompt_tokens_details?.cache_creation_token_details as Fields | undefined;
  return {
    prompt: Number(prompt_tokens),
    cached: Number(prompt_tokens_details?.cached_tokens ?? 0),
    written: Number(prompt_tokens_details?.cache_write_tokens ?? 0),
    written1h: Number(lifetimes?.ephemeral_1h_input_tokens ?? 0),
    completion: Number(completion_tokens),
    reasoning: Number(completion_tokens_details?.reasoning_tokens ?? 0),
  };
}

/** Asks for a message by the official SDK, whole or streamed. */
export async function askForMessage(
  gateway: Pick<ServedGateway, "baseUrl" | "key">,
  body: Fields,
  isStream: boolean,
): Promise<ReadAnswer> {
  const client = createAnthropicClient(gateway);
  const params = body as unknown as Anthropic.MessageCreateParamsNonStreaming;
  if (!isStream) {
    const { data, response } = await client.messages.create(params).withResponse();
    return { answer: readMessage(data), requestId: response.headers.get("x-request-id") };
  }
  const stream = client.messages.stream(params);
  const answer = readMessage(await stream.finalMessage());
  return { answer, requestId: stream.response?.headers.get("x-request-id") ?? null };
}

function readMessage({ content, stop_reason, usage }: Anthropic.Message): Answer {
  const join = (read: (block: Anthropic.ContentBlock) => string) => content.map(read).join("");
  return withoutEmpty({
    thinking: join((block) => (block.type === "thinking" ? block.thinking : "")),
    text: join((block) => (block.type === "text" ? block.text : "")),
    calls: content.flatMap((block) =>
      block.type === "tool_use" ? [{ name: block.name, input: block.input as object }] : [],
    ),
    end: ends[String(stop_reason)] ?? "end",
    usage: readMessageUsage(usage),
  });
}

function readMessageUsage(usage: Anthropic.Usage): AnswerUsage {
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    prompt: usage.input_tokens + cached + written,
    cached,
    written,
    written1h: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    completion: usage.output_tokens,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}

function withoutEmpty({ thinking, text, calls, ...rest }: Answer): Answer {
  return {
    ...(thinking && { thinking }),
    ...(text && { text }),
    ...(calls && calls.length > 0 && { calls }),
    ...rest,
  };
}
