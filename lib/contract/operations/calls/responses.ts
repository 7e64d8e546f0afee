import * as z from "zod/mini";
import { VARIABLE_NAME } from "../../bounds";
import { defineOperations } from "../../operation";
import { orderedPageQuery, pageSchema } from "../../schema";
import { conversation, MAX_ENTRIES, modelName } from "./completions";

const fields = z.looseObject({});
export const item = z.looseObject({ type: z.optional(z.nullable(z.string())) });
const tool = z.looseObject({ type: z.string() });
const label = z.string().check(z.maxLength(512));
export const metadata = z.record(z.string().check(z.maxLength(64)), label);

/** The name of a variable, written `{{name}}` in texts. JSON readers drop a member named `__proto__`. */
export const variableName = z.string().check(z.regex(VARIABLE_NAME));

/** A saved prompt that a request fills its gaps with, and the values of its variables. */
export const promptReference = z.looseObject({
  id: label,
  version: z.optional(z.nullable(label)),
  variables: z.optional(z.nullable(z.record(variableName, z.union([z.string(), tool])))),
});

/** The fields of a request of OpenAI's Responses API that the gateway itself reads. */
export const responseRequest = z.looseObject({
  model: modelName,
  input: z.optional(z.nullable(z.union([z.string(), z.array(item).check(z.maxLength(MAX_ENTRIES))]))),
  instructions: z.optional(z.nullable(z.string())),
  stream: z.optional(z.nullable(z.boolean())),
  store: z.optional(z.nullable(z.boolean())),
  background: z.optional(z.nullable(z.boolean())),
  /** The address that is told when a response of the background ends. */
  callback_url: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
  previous_response_id: z.optional(z.nullable(label)),
  conversation: z.optional(z.nullable(z.union([label, z.looseObject({ id: label })]))),
  include: z.optional(z.nullable(z.array(label))),
  max_output_tokens: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  max_tool_calls: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  temperature: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(2)))),
  top_p: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
  presence_penalty: z.optional(z.nullable(z.number())),
  frequency_penalty: z.optional(z.nullable(z.number())),
  top_logprobs: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(20)))),
  tools: z.optional(z.nullable(z.array(tool).check(z.maxLength(MAX_ENTRIES)))),
  tool_choice: z.optional(z.nullable(z.union([z.string(), fields]))),
  parallel_tool_calls: z.optional(z.nullable(z.boolean())),
  text: z.optional(z.nullable(z.looseObject({ format: z.optional(z.nullable(tool)) }))),
  reasoning: z.optional(z.nullable(fields)),
  truncation: z.optional(z.nullable(z.enum(["auto", "disabled"]))),
  service_tier: z.optional(z.nullable(label)),
  metadata: z.optional(z.nullable(metadata)),
  user: z.optional(z.nullable(label)),
  safety_identifier: z.optional(z.nullable(label)),
  prompt: z.optional(z.nullable(promptReference)),
  prompt_cache_key: z.optional(z.nullable(label)),
  prompt_cache_retention: z.optional(z.nullable(label)),
});
export type ResponseRequest = z.output<typeof responseRequest>;

const { model, input, previous_response_id, instructions, prompt_cache_key } = responseRequest.shape;
const compactionRequest = z.looseObject({
  model,
  input,
  previous_response_id,
  instructions,
  prompt_cache_key,
});

/** An item of a conversation in the form of OpenAI's API reference. */
export const storedItem = z.looseObject({ id: z.string() });

/** A response in the form of OpenAI's API reference. */
const response = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.string(),
  model: z.string(),
  output: z.array(item),
  usage: z.nullable(fields),
});

/** The reply header that names the types of tools that only a provider could run, and that were left out. */
export const TOOLS_LEFT_OUT_HEADER = "x-gatehouse-tools-left-out";

export const responseOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
  },
  {
    createResponse: {
      method: "POST",
      effect: "pays",
      path: "/responses",
      limitedKeys: ["responses"],
      summary:
        "Answers a request of OpenAI's Responses API with any chat model, whole or as its stream of events, and charges its usage to the balance. With background, it answers at once with the status queued, and goes on without its client; callback_url is told of its end. x-gatehouse-left-out names what the model can't be told. Idempotency-Key is honoured.",
      body: responseRequest,
      bodyBounds: conversation,
      reply: response,
    },
    createCompaction: {
      method: "POST",
      effect: "pays",
      path: "/responses/compact",
      limitedKeys: ["responses"],
      summary:
        "Summarizes a conversation by one call of the model, which is charged, and seals the summary for the project: sent as the input of a response, it stands for the conversation.",
      body: compactionRequest,
      bodyBounds: conversation,
      reply: z.looseObject({
        id: z.string(),
        object: z.literal("response.compaction"),
        created_at: z.int(),
        output: z.array(storedItem),
        usage: z.nullable(fields),
      }),
    },
    countResponseTokens: {
      method: "POST",
      effect: "acts",
      path: "/responses/input_tokens",
      limitedKeys: ["responses"],
      summary:
        "Estimates the input tokens of a response, with those of the responses that it goes on from, as a call is let in by them. Costs nothing.",
      body: responseRequest,
      bodyBounds: conversation,
      reply: z.object({ object: z.literal("response.input_tokens"), input_tokens: z.int() }),
    },
    connectResponses: {
      method: "GET",
      path: "/responses",
      limitedKeys: ["responses"],
      summary:
        "Opens a WebSocket for 60 minutes, over which responses are created one after another, each with its own checks, charge and receipt: send response.create with the fields of POST /v1/responses, and read the events of its stream as messages. previous_response_id goes on from responses of the connection also where nothing is kept, and generate as false only keeps the input to go on from.",
      reply: z.unknown(),
    },
    retrieveResponse: {
      method: "GET",
      path: "/responses/{response_id}",
      limitedKeys: ["responses"],
      summary:
        "Returns a kept response, one of the background also while it is under way. With stream, those of the background are told again by their events behind the one with the number starting_after, and then as they come. Responses are kept as long as their project keeps the bodies of its calls whole.",
      query: z.looseObject({
        stream: z.optional(z.enum(["true", "false"])),
        starting_after: z.optional(
          z.string().check(z.regex(/^\d{1,9}$/, "must be the number of an event, such as 12")),
        ),
      }),
      reply: response,
    },
    listResponseItems: {
      method: "GET",
      path: "/responses/{response_id}/input_items",
      limitedKeys: ["responses"],
      summary: "Lists the items that were new in the request of a kept response, latest first.",
      query: z.looseObject(orderedPageQuery.shape),
      reply: pageSchema(storedItem),
    },
    cancelResponse: {
      method: "POST",
      effect: "acts",
      path: "/responses/{response_id}/cancel",
      limitedKeys: ["responses"],
      summary:
        "Cancels a response of the background and stops its provider. What came until then is charged. One that has ended stays as it is.",
      reply: response,
    },
    deleteResponse: {
      method: "DELETE",
      effect: "acts",
      path: "/responses/{response_id}",
      limitedKeys: ["responses"],
      summary:
        "Deletes a kept response, which later ones can no longer go on from. Its receipt and charge stay.",
      reply: z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) }),
    },
  },
);
