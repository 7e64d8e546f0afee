import * as z from "zod/mini";

/**
 * The parts of a request of Anthropic's Messages API that a chat completion can say, by the API's reference. A field
 * that is not declared here is left out, and named to the caller by `listLeftOut`.
 */
const text = z.object({ type: z.literal("text"), text: z.string() });

const base64 = z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() });
const file = z.object({ type: z.literal("file"), file_id: z.string() });

const imageSource = z.discriminatedUnion("type", [
  base64,
  z.object({ type: z.literal("url"), url: z.string() }),
  file,
]);
export type ImageSource = z.output<typeof imageSource>;

const image = z.object({ type: z.literal("image"), source: imageSource });

const documentSource = z.discriminatedUnion("type", [
  base64,
  z.object({ type: z.literal("text"), media_type: z.string(), data: z.string() }),
  z.object({
    type: z.literal("content"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]),
  }),
  file,
]);

const document = z.object({
  type: z.literal("document"),
  source: documentSource,
  title: z.optional(z.nullable(z.string())),
  context: z.optional(z.nullable(z.string())),
});
export type DocumentBlock = z.output<typeof document>;

const searchResult = z.object({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
});
export type SearchResultBlock = z.output<typeof searchResult>;

/** Stands where a block of an unknown type was, so that the places of the others stay as they were sent. */
const leftOut = z.object({ type: z.literal("left_out") });

const toolResult = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.optional(
    z.nullable(
      z.union([
        z.string(),
        z.array(z.discriminatedUnion("type", [text, image, document, searchResult, leftOut])),
      ]),
    ),
  ),
  is_error: z.optional(z.nullable(z.boolean())),
});
export type ToolResult = z.output<typeof toolResult>;

const toolUse = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});

/** The model's thinking on an earlier turn. Its seal says what the provider wants again (`returned-parts.ts`). */
const thinking = z.object({
  type: z.literal("thinking"),
  thinking: z.optional(z.nullable(z.string())),
  signature: z.optional(z.nullable(z.string())),
});
const redactedThinking = z.object({
  type: z.literal("redacted_thinking"),
  data: z.optional(z.nullable(z.string())),
});

const blocks = [
  text,
  image,
  document,
  searchResult,
  toolResult,
  toolUse,
  thinking,
  redactedThinking,
  leftOut,
] as const;
const block = z.discriminatedUnion("type", blocks);
export type Block = z.output<typeof block>;

/** The types of blocks that are translated. */
export const blockTypes: readonly string[] = blocks
  .map(({ shape }) => shape.type.def.values[0] as string)
  .filter((type) => type !== "left_out");

const message = z.object({
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: z.union([z.string(), z.array(block)]),
});
export type Message = z.output<typeof message>;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const schema = z.custom<Readonly<Record<string, unknown>>>(isObject, { error: "must be an object" });

/** A tool that the caller runs. */
const tool = z.object({
  type: z.optional(z.nullable(z.string())),
  name: z.string(),
  description: z.optional(z.nullable(z.string())),
  input_schema: schema,
  strict: z.optional(z.nullable(z.boolean())),
  input_examples: z.optional(z.nullable(z.array(z.unknown()))),
});
export type Tool = z.output<typeof tool>;

const toolChoice = z.object({
  type: z.string(),
  name: z.optional(z.string()),
  disable_parallel_tool_use: z.optional(z.nullable(z.boolean())),
});
export type ToolChoice = z.output<typeof toolChoice>;

const format = z.object({ type: z.literal("json_schema"), schema });

const outputConfig = z.object({
  format: z.optional(z.nullable(format)),
  effort: z.optional(z.nullable(z.string())),
});

/** `adaptive` leaves thinking to the model, as chat completions do; `budget_tokens` is translated to an effort. */
const thinkingConfig = z
  .object({
    type: z.string(),
    budget_tokens: z.optional(z.nullable(z.int().check(z.minimum(1)))),
    display: z.optional(z.nullable(z.string())),
  })
  .check(
    z.refine(({ type, budget_tokens }) => type !== "enabled" || typeof budget_tokens === "number", {
      path: ["budget_tokens"],
      message: "is required",
    }),
  );

const conversation = {
  model: z.string().check(z.minLength(1)),
  system: z.optional(
    z.nullable(z.union([z.string(), z.array(z.discriminatedUnion("type", [text, leftOut]))])),
  ),
  messages: z.array(message).check(z.minLength(1)),
  tools: z.optional(z.nullable(z.array(tool))),
  tool_choice: z.optional(z.nullable(toolChoice)),
  thinking: z.optional(z.nullable(thinkingConfig)),
  output_config: z.optional(z.nullable(outputConfig)),
  /** The name that `output_config.format` had in a beta. */
  output_format: z.optional(z.nullable(format)),
};

export const anthropicRequest = z.object({
  ...conversation,
  max_tokens: z.int().check(z.minimum(1)),
  stream: z.optional(z.nullable(z.boolean())),
  temperature: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
  top_p: z.optional(z.nullable(z.number())),
  stop_sequences: z.optional(z.nullable(z.array(z.string()))),
  metadata: z.optional(z.nullable(z.object({ user_id: z.optional(z.nullable(z.string())) }))),
});
export type AnthropicRequest = z.output<typeof anthropicRequest>;

/** A request to count tokens. */
export const anthropicCountRequest = z.object(conversation);

/** What the gateway itself reads of a request, which may be passed on as it is. */
export const messageHead = z.object({
  model: conversation.model,
  messages: z.array(z.unknown()).check(z.minLength(1)),
  max_tokens: anthropicRequest.shape.max_tokens,
  stream: anthropicRequest.shape.stream,
  temperature: z.optional(z.nullable(z.number())),
});
export const countHead = z.partial(messageHead, { max_tokens: true });
