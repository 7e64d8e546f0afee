import * as z from "zod/mini";

const text = z.looseObject({ type: z.literal("text"), text: z.string() });

const source = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal("url"), url: z.string() }),
]);

const image = z.looseObject({ type: z.literal("image"), source });

const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.optional(z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))])),
});

const toolUse = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});

/** What a model thought on an earlier turn. It has no place in a chat completion and is left out. */
const thinking = z.looseObject({ type: z.enum(["thinking", "redacted_thinking"]) });

/** The blocks a message may hold, after Anthropic's Messages API reference. */
const block = z.discriminatedUnion("type", [text, image, toolResult, toolUse, thinking]);
export type Block = z.output<typeof block>;
export type ImageSource = z.output<typeof source>;

const tool = z.looseObject({
  name: z.string(),
  description: z.optional(z.string()),
  input_schema: z.looseObject({}),
});
export type Tool = z.output<typeof tool>;

const toolChoice = z.looseObject({
  type: z.enum(["auto", "any", "tool", "none"]),
  name: z.optional(z.string()),
  disable_parallel_tool_use: z.optional(z.boolean()),
});
export type ToolChoice = z.output<typeof toolChoice>;

/** A request of Anthropic's Messages API: the fields that have a meaning in a chat completion. Others are hints and left out. */
export const anthropicRequest = z.looseObject({
  model: z.string().check(z.minLength(1)),
  max_tokens: z.int().check(z.minimum(1)),
  system: z.optional(z.union([z.string(), z.array(text)])),
  messages: z
    .array(
      z.looseObject({ role: z.enum(["user", "assistant"]), content: z.union([z.string(), z.array(block)]) }),
    )
    .check(z.minLength(1)),
  stream: z.optional(z.boolean()),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  top_p: z.optional(z.number()),
  top_k: z.optional(z.int()),
  stop_sequences: z.optional(z.array(z.string())),
  metadata: z.optional(z.looseObject({ user_id: z.optional(z.nullable(z.string())) })),
  tools: z.optional(z.array(tool)),
  tool_choice: z.optional(toolChoice),
});
export type AnthropicRequest = z.output<typeof anthropicRequest>;
