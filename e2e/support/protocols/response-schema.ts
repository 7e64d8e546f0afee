import * as z from "zod/mini";

const count = z.int().check(z.minimum(0));
const nullable = <Schema extends z.ZodMiniType>(schema: Schema) => z.union([schema, z.null()]);

const text = z.looseObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.looseObject({ type: z.string() })),
  logprobs: z.array(z.unknown()),
});
const refusal = z.looseObject({ type: z.literal("refusal"), refusal: z.string() });
const status = z.enum(["in_progress", "completed", "incomplete"]);

/** The items that our stand-ins answer with, by the Open Responses specification. */
const item = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message"),
    id: z.string(),
    status,
    role: z.literal("assistant"),
    content: z.array(z.union([text, refusal])),
    phase: z.optional(z.enum(["commentary", "final_answer"])),
  }),
  z.looseObject({
    type: z.literal("function_call"),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
  z.looseObject({
    type: z.literal("reasoning"),
    id: z.string(),
    summary: z.array(z.looseObject({ type: z.string(), text: z.string() })),
  }),
]);

const usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count }),
  output_tokens_details: z.looseObject({ reasoning_tokens: count }),
});

const tool = z.looseObject({
  type: z.literal("function"),
  name: z.string(),
  description: nullable(z.string()),
  parameters: nullable(z.looseObject({})),
  strict: nullable(z.boolean()),
});

/** A whole response by the Open Responses specification: each of these keys is there, also where it is null. */
export const wholeResponse = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: count,
  completed_at: nullable(count),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  incomplete_details: nullable(z.looseObject({ reason: z.string() })),
  model: z.string(),
  previous_response_id: nullable(z.string()),
  instructions: nullable(z.string()),
  output: z.array(item),
  error: nullable(z.looseObject({ code: z.string(), message: z.string() })),
  tools: z.array(tool),
  tool_choice: z.union([z.enum(["none", "auto", "required"]), z.looseObject({ type: z.string() })]),
  truncation: z.enum(["auto", "disabled"]),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: count,
  temperature: z.number(),
  reasoning: nullable(z.looseObject({ effort: nullable(z.string()), summary: nullable(z.string()) })),
  usage: nullable(usage),
  max_output_tokens: nullable(count),
  max_tool_calls: nullable(count),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.looseObject({}),
  safety_identifier: nullable(z.string()),
  prompt_cache_key: nullable(z.string()),
});

const place = { item_id: z.string(), output_index: count };
const inPart = { ...place, content_index: count };
const told = { response: wholeResponse };
const inItem = { output_index: count, item: z.looseObject({ id: z.string(), type: z.string() }) };

/** The fields of each event that our stand-ins lead to. */
const eventFields: Readonly<Record<string, Record<string, z.ZodMiniType>>> = {
  "response.created": told,
  "response.in_progress": told,
  "response.completed": told,
  "response.incomplete": told,
  "response.failed": told,
  "response.output_item.added": inItem,
  "response.output_item.done": inItem,
  "response.content_part.added": { ...inPart, part: z.union([text, refusal]) },
  "response.content_part.done": { ...inPart, part: z.union([text, refusal]) },
  "response.output_text.delta": { ...inPart, delta: z.string(), logprobs: z.array(z.unknown()) },
  "response.output_text.done": { ...inPart, text: z.string(), logprobs: z.array(z.unknown()) },
  "response.function_call_arguments.delta": { ...place, delta: z.string() },
  "response.function_call_arguments.done": { ...place, arguments: z.string() },
};

/** Checks the events of a stream or WebSocket. @returns the response that ends it. @throws Error naming a fault. */
export function readWholeEvents(events: readonly Record<string, unknown>[]): z.output<typeof wholeResponse> {
  for (const [index, event] of events.entries()) {
    const fields = eventFields[String(event.type)];
    if (!fields) throw new Error(`There is an event of the type ${event.type}`);
    z.parse(z.looseObject({ sequence_number: z.literal(index), ...fields }), event);
  }
  return z.parse(wholeResponse, events.at(-1)?.response);
}

/** A conversation in short. */
export const wholeCompaction = z.looseObject({
  id: z.string(),
  object: z.literal("response.compaction"),
  created_at: count,
  output: z.array(
    z.looseObject({ id: z.string(), type: z.literal("compaction"), encrypted_content: z.string() }),
  ),
  usage,
});
