import { describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from "ai";
import type { Answer } from "../../support/protocols/answer";
import { type Protocols, serveProtocols } from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

type Fields = Record<string, unknown>;
type Options = Partial<Parameters<typeof generateText>[0]>;
type Target = "anthropic" | "openai";

/**
 * A library that speaks a provider's protocol itself is an oracle for what the gateway makes of the other protocol: the
 * same prompt, by the AI SDK's package for the provider and by that for the other protocol through the gateway.
 */
const models: Readonly<Record<Target, { direct(): LanguageModel; translated(): LanguageModel }>> = {
  anthropic: {
    direct: () =>
      createAnthropic({ baseURL: served.anthropic.baseUrl, apiKey: "sk-ant-upstream" })("claude-sonnet-4-5"),
    translated: () =>
      createOpenAICompatible({
        name: "gatehouse",
        baseURL: served.gateway.baseUrl,
        apiKey: served.gateway.key,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })("anthropic"),
  },
  openai: {
    direct: () => createOpenAI({ baseURL: served.chat.openai.baseUrl, apiKey: "sk-upstream" }).chat("gpt-4o"),
    translated: () =>
      createAnthropic({ baseURL: served.gateway.baseUrl, apiKey: served.gateway.key })("openai"),
  },
};
const targets = Object.keys(models) as Target[];

const usage = { prompt: 172, cached: 155, written: 3, written1h: 0, completion: 9, reasoning: 0 };
const answers: Readonly<Record<string, Answer>> = {
  "a text": { text: "Hello there", end: "end", usage },
  "thinking and a text": { thinking: "Hm", text: "Hello", end: "end", usage: { ...usage, reasoning: 4 } },
  "a text that is cut off": { text: "Hello th", end: "length", usage },
  "a refusal": { text: "No", end: "filter", usage },
  "calls of tools": {
    text: "Let me look",
    calls: [
      { name: "weather", input: { city: "Bern" } },
      { name: "now", input: {} },
    ],
    end: "calls",
    usage,
  },
};

const city = jsonSchema({
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
});
const tools = {
  weather: tool({ description: "Tells the weather", inputSchema: city }),
  now: tool({ inputSchema: jsonSchema({ type: "object", properties: {} }) }),
};
const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const history: ModelMessage[] = [
  { role: "user", content: "What's the weather, and the time?" },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Let me look" },
      { type: "tool-call", toolCallId: "call_1", toolName: "weather", input: { city: "Bern" } },
      { type: "tool-call", toolCallId: "call_2", toolName: "now", input: {} },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1",
        toolName: "weather",
        output: { type: "text", value: "Sun" },
      },
      {
        type: "tool-result",
        toolCallId: "call_2",
        toolName: "now",
        output: { type: "json", value: { h: 9 } },
      },
    ],
  },
  { role: "user", content: "And tomorrow?" },
];

const prompts: Readonly<Record<string, Options>> = {
  "a system prompt and settings": {
    system: "Be brief",
    prompt: "Hi",
    maxOutputTokens: 50,
    temperature: 0.5,
    stopSequences: ["END"],
  },
  "tools, of which one is demanded": {
    prompt: "Hi",
    maxOutputTokens: 50,
    tools,
    toolChoice: { type: "tool", toolName: "weather" },
  },
  "tools, of which some is demanded": { prompt: "Hi", maxOutputTokens: 50, tools, toolChoice: "required" },
  "a history with parallel calls": { messages: history, maxOutputTokens: 50, tools },
  "a picture and a PDF": {
    maxOutputTokens: 50,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image", image: Buffer.from(picture, "base64"), mediaType: "image/png" },
          { type: "file", data: Buffer.from("%PDF-1.4"), mediaType: "application/pdf", filename: "a.pdf" },
        ],
      },
    ],
  },
  "an answer by a schema": { prompt: "Hi", maxOutputTokens: 50, output: Output.object({ schema: city }) },
};

/** What the gateway does otherwise than the AI SDK, and why that stays. A path may stand in any list. */
const differences: readonly { readonly why: string; readonly paths: RegExp }[] = [
  { why: "a model has another name at its provider", paths: /^model$/ },
  {
    why: "a provider has one name for the output limit, whichever model is asked",
    paths: /^max_(completion_)?tokens$/,
  },
  {
    why: "a result is a list of blocks, which may hold pictures, too",
    paths: /^messages\.\d+\.content\.\d+\.content$/,
  },
  {
    why: "a document's title is told before it, since not every server shows the model the name of a file",
    paths: /^messages\.0\.content\.[23]/,
  },
  {
    why: "for a model that it doesn't know, the package for messages asks for JSON by a tool of its own",
    paths: /^(response_format|tools|tool_choice|parallel_tool_calls)$/,
  },
  {
    why: "the package for OpenAI reads no thinking, and that for messages reads what is sealed as an empty one",
    paths: /^\d\.reasoningText$/,
  },
  {
    why: "the package for compatible servers doesn't read what was written to a cache",
    paths: /^\d\.usage\.inputTokenDetails\.(noCacheTokens|cacheWriteTokens)$/,
  },
];

/** The differences of two values that aren't in the table. */
function compare(theirs: unknown, ours: unknown, path = ""): string[] {
  const isDecided = differences.some(({ paths }) => paths.test(path));
  if (!isNested(theirs) || !isNested(ours))
    return Object.is(theirs, ours) || isDecided
      ? []
      : [`${path}: ${JSON.stringify(theirs)} → ${JSON.stringify(ours)}`];
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...names].flatMap((name) => compare(theirs[name], ours[name], path ? `${path}.${name}` : name));
}

function isNested(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

async function sendBy(model: LanguageModel, target: Target, options: Options): Promise<Fields> {
  await generateText({ maxRetries: 0, ...options, model } as Parameters<typeof generateText>[0]).catch(
    // The answer is no JSON by the oracle's own tool, and calls no tool that was demanded.
    () => null,
  );
  return served.readSent(target);
}

/** What the AI SDK reads of an answer, whole and streamed. */
async function readBy(model: LanguageModel): Promise<object[]> {
  const options = { maxRetries: 0, prompt: "Hi", maxOutputTokens: 50, tools, model } as const;
  const whole = await generateText(options);
  const stream = streamText(options);
  await stream.consumeStream();
  const streamed = {
    text: await stream.text,
    reasoningText: await stream.reasoningText,
    toolCalls: await stream.toolCalls,
    finishReason: await stream.finishReason,
    usage: await stream.usage,
  };
  return [whole, streamed].map(({ text, reasoningText, toolCalls, finishReason, usage: told }) => ({
    text,
    reasoningText,
    finishReason,
    calls: toolCalls.map(({ toolName, input }) => ({ toolName, input })),
    usage: { ...told, raw: undefined },
  }));
}

describe.each(targets)("%s", (target) => {
  describe("is sent by the gateway what the AI SDK sends", () => {
    test.each(Object.keys(prompts))("%s", async (name) => {
      served.answerWith(target, { text: '{"city":"Bern"}', end: "end", usage });
      const options = prompts[name] as Options;
      const theirs = await sendBy(models[target].direct(), target, options);
      expect(compare(theirs, await sendBy(models[target].translated(), target, options))).toEqual([]);
    });
  });

  describe("answers through the gateway as the AI SDK reads it", () => {
    test.each(Object.keys(answers))("%s", async (name) => {
      served.answerWith(target, answers[name] as Answer);
      const theirs = await readBy(models[target].direct());
      expect(compare(theirs, await readBy(models[target].translated()))).toEqual([]);
    });
  });
});
