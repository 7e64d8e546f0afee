import * as z from "zod/mini";

/** A hint for the provider's cache. It doesn't change the answer, and chat completions have no such field. */
const hints = { cache_control: z.optional(z.nullable(z.looseObject({ type: z.string() }))) };

/** Chat completions don't support citations; those of an earlier answer are not part of its text. */
const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  citations: z.optional(z.nullable(z.array(z.unknown()))),
  ...hints,
});

const base64 = z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() });
const file = z.strictObject({ type: z.literal("file"), file_id: z.string() });

const imageSource = z.discriminatedUnion("type", [
  base64,
  z.strictObject({ type: z.literal("url"), url: z.string() }),
  file,
]);
export type ImageSource = z.output<typeof imageSource>;

const image = z.strictObject({ type: z.literal("image"), source: imageSource, ...hints });

const documentSource = z.discriminatedUnion("type", [
  base64,
  z.strictObject({ type: z.literal("text"), media_type: z.literal("text/plain"), data: z.string() }),
  z.strictObject({
    type: z.literal("content"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]),
  }),
  file,
]);

const document = z.strictObject({
  type: z.literal("document"),
  source: documentSource,
  title: z.optional(z.nullable(z.string())),
  context: z.optional(z.nullable(z.string())),
  citations: z.optional(z.nullable(z.strictObject({ enabled: z.optional(z.literal(false)) }))),
  ...hints,
});
export type DocumentBlock = z.output<typeof document>;

const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.optional(z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, document]))])),
  is_error: z.optional(z.nullable(z.boolean())),
  toolset_name: z.optional(z.null()),
  ...hints,
});
export type ToolResult = z.output<typeof toolResult>;

const toolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  caller: z.optional(z.strictObject({ type: z.literal("direct") })),
  toolset_name: z.optional(z.null()),
  ...hints,
});

/** The model's thinking on an earlier turn. It is not part of the conversation and is left out of a chat completion. */
const thinking = z.looseObject({ type: z.enum(["thinking", "redacted_thinking"]) });

/** The blocks of a message, by Anthropic's Messages API reference. */
const block = z.discriminatedUnion("type", [text, image, document, toolResult, toolUse, thinking]);
export type Block = z.output<typeof block>;

/** A tool that the caller runs. Chat completions don't support the tools that Anthropic runs. */
const tool = z.strictObject({
  type: z.optional(z.nullable(z.literal("custom"))),
  name: z.string(),
  description: z.optional(z.string()),
  input_schema: z.looseObject({}),
  strict: z.optional(z.nullable(z.boolean())),
  input_examples: z.optional(z.array(z.looseObject({}))),
  eager_input_streaming: z.optional(z.nullable(z.boolean())),
  defer_loading: z.optional(z.literal(false)),
  allowed_callers: z.optional(z.array(z.literal("direct"))),
  ...hints,
});
export type Tool = z.output<typeof tool>;

const toolChoice = z.strictObject({
  type: z.enum(["auto", "any", "tool", "none"]),
  name: z.optional(z.string()),
  disable_parallel_tool_use: z.optional(z.boolean()),
});
export type ToolChoice = z.output<typeof toolChoice>;

const format = z.strictObject({ type: z.literal("json_schema"), schema: z.looseObject({}) });

const outputConfig = z.strictObject({
  format: z.optional(z.nullable(format)),
  effort: z.optional(z.nullable(z.enum(["low", "medium", "high", "xhigh", "max"]))),
});

/** Whether the thinking is shown. */
const display = z.optional(z.nullable(z.enum(["summarized", "omitted"])));

/** `adaptive` leaves thinking to the model, as chat completions do; `budget_tokens` is translated to an effort. */
const thinkingConfig = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("enabled"), budget_tokens: z.int().check(z.minimum(1)), display }),
  z.strictObject({ type: z.literal("adaptive"), display }),
  z.strictObject({ type: z.literal("disabled") }),
]);

const conversation = {
  model: z.string().check(z.minLength(1)),
  system: z.optional(z.union([z.string(), z.array(text)])),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(["user", "assistant"]),
        content: z.union([z.string(), z.array(block)]),
      }),
    )
    .check(z.minLength(1)),
  tools: z.optional(z.array(tool)),
  tool_choice: z.optional(toolChoice),
  thinking: z.optional(z.nullable(thinkingConfig)),
  output_config: z.optional(z.nullable(outputConfig)),
  ...hints,
};

/**
 * A request of Anthropic's Messages API. Fields without an equivalent in chat completions are refused by name, never
 * dropped.
 */
export const anthropicRequest = z.strictObject({
  ...conversation,
  max_tokens: z.int().check(z.minimum(1)),
  stream: z.optional(z.boolean()),
  temperature: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
  top_p: z.optional(z.number()),
  top_k: z.optional(z.int()),
  stop_sequences: z.optional(z.nullable(z.array(z.string()))),
  metadata: z.optional(z.strictObject({ user_id: z.optional(z.nullable(z.string())) })),
  speed: z.optional(z.nullable(z.literal("standard"))),
  container: z.optional(z.null()),
  inference_geo: z.optional(z.null()),
  diagnostics: z.optional(z.null()),
  thread: z.optional(z.null("is not kept here: send all messages with each request")),
  service_tier: z.optional(z.enum(["auto", "standard_only"])),
});
export type AnthropicRequest = z.output<typeof anthropicRequest>;

/** A request to count tokens. */
export const anthropicCountRequest = z.strictObject(conversation);
