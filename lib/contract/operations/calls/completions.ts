import * as z from "zod/mini";
import { IS_REQUIRED } from "../../describe-issue";
import { type BodyBounds, defineOperations } from "../../operation";
import { balanceRefusal, circuitRefusal, limitRefusal, spendLimitRefusal } from "../../refusal-facts";
import { decimal } from "../../schema";
import { task } from "../tasks/task";

/** A conversation with images in it. */
export const conversation: BodyBounds = { bytes: 32 * 1024 * 1024, entries: 100_000 };

/** No provider accepts this many entries. Longer arrays are refused before their entries are validated. */
export const MAX_ENTRIES = 100_000;

/** No model has a longer name. */
export const MAX_MODEL_LENGTH = 200;
export const modelName = z.string().check(z.minLength(1), z.maxLength(MAX_MODEL_LENGTH));

const contentPart = z.looseObject({ type: z.string() });

/** Answers may have tool calls or audio instead of a text, and functions may return null. */
const mayLackContent = ["assistant", "function"];

/**
 * A message in the form of OpenAI's API reference. The contents of parts and of further fields aren't validated; the
 * provider does that.
 */
export const chatMessage = z
  .looseObject({
    role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
    content: z.optional(
      z.nullable(z.union([z.string(), z.array(contentPart).check(z.maxLength(MAX_ENTRIES))])),
    ),
  })
  .check(
    z.refine(({ role, content }) => (content ?? null) !== null || mayLackContent.includes(role), {
      path: ["content"],
      message: IS_REQUIRED,
    }),
  );
export type ChatMessage = z.output<typeof chatMessage>;

const outputTokens = z.int().check(z.minimum(1));

/** The fields that the gateway prices and routes by; any further field passes through untouched. */
export const chatCompletionRequest = z.looseObject({
  model: modelName,
  messages: z.array(chatMessage).check(z.minLength(1), z.maxLength(MAX_ENTRIES)),
  prompt: z.optional(z.nullable(z.string())),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(
    z.nullable(z.looseObject({ include_usage: z.optional(z.nullable(z.boolean())) })),
  ),
  temperature: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(2)))),
  max_tokens: z.optional(z.nullable(outputTokens)),
  max_completion_tokens: z.optional(z.nullable(outputTokens)),
  n: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(128)))),
  /** The address that receives a callback when a media model's task ends. */
  callback_url: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
});
/** Requests to media models may have `prompt` instead of `messages`. */
export const promptRequest = z.extend(chatCompletionRequest, {
  messages: z.optional(chatCompletionRequest.shape.messages),
  prompt: z.string(),
});
export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>;

const tokenUsage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
});

/** A completion in the form of OpenAI's API reference. */
const chatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({ index: z.int(), message: z.looseObject({}), finish_reason: z.nullable(z.string()) }),
  ),
  usage: z.optional(tokenUsage),
});

/** The body of a chat completion with `max_tokens` required; Anthropic's own fields pass through. */
export const messageRequest = z.looseObject({
  model: modelName,
  messages: z.array(chatMessage).check(z.minLength(1), z.maxLength(MAX_ENTRIES)),
  max_tokens: outputTokens,
  stream: z.optional(z.nullable(z.boolean())),
  temperature: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(2)))),
});

/**
 * The fields of a message that are needed to count its tokens. Others are accepted too, since some change the prompt.
 */
const countedMessage = z.looseObject({
  model: z.string().check(z.minLength(1)),
  messages: z.array(chatMessage).check(z.minLength(1), z.maxLength(MAX_ENTRIES)),
});

const count = z.int().check(z.minimum(0));

/**
 * The figures of a refusal. Which ones are present depends on the check that refused and on the caller's permissions.
 */
export const refusalPreview = z.object({
  status: z.int(),
  message: z.string(),
  type: z.string(),
  code: z.nullable(z.string()),
  limit: z.optional(limitRefusal),
  balance: z.optional(balanceRefusal),
  circuit: z.optional(circuitRefusal),
  spend_limit: z.optional(spendLimitRefusal),
});

/** The result that a call would have now. A refused call's figures are those it requests. */
const callPreview = z.object({
  object: z.literal("chat.completion.preview"),
  model: z.string(),
  project_id: z.string(),
  /** The gateway's estimate. */
  prompt_tokens: count,
  /** The tokens that count in the token limits: the prompt plus the expected output. */
  estimated_tokens: count,
  /** The maximum output of one choice that the balance and the spend limits cover. */
  max_output_tokens: count,
  currency: z.string(),
  /** The maximum cost, which is held. */
  hold: decimal,
  /** The charge for an output of the expected length. */
  expected_charge: decimal,
  /** The rate limits that the call would count in, with their use before it. */
  limits: z.array(z.object({ field: z.string(), max: count, used: z.number(), requested: count })),
  /** Null if the call would be admitted. */
  refusal: z.nullable(refusalPreview),
});
export type CallPreview = z.output<typeof callPreview>;

/**
 * The request header that names a key, `key_…`: a member's call is made as that key, with its scopes, in its limits and
 * for its project. Requires the permission to create such a key. A preview may also name a role, `role_…`.
 */
export const RUN_AS_HEADER = "x-gatehouse-run-as";

/** The reply header that names what a message in Anthropic's form had and its model could not be told. */
export const LEFT_OUT_HEADER = "x-gatehouse-left-out";

export const completionOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
  },
  {
    createChatCompletion: {
      method: "POST",
      effect: "pays",
      path: "/chat/completions",
      limitedKeys: ["chat_completions"],
      summary:
        "Answers a conversation, whole or as server-sent events, and charges its usage to the balance; of an image, video or music model it answers with a task. With an Idempotency-Key, a repeat within 24 hours gets the first reply and no second charge.",
      body: chatCompletionRequest,
      bodyBounds: conversation,
      reply: z.union([chatCompletion, task]),
    },
    previewChatCompletion: {
      method: "POST",
      effect: "acts",
      path: "/chat/completions/preview",
      limitedKeys: ["chat_completions"],
      summary:
        "Says what would become of a chat completion now: its size, what it would hold, each limit it counts in, and which check would refuse it. Sends nothing, counts nothing and costs nothing.",
      body: chatCompletionRequest,
      bodyBounds: conversation,
      reply: callPreview,
    },
    createMessage: {
      method: "POST",
      effect: "pays",
      path: "/messages",
      limitedKeys: ["messages"],
      summary:
        "Sends a message to a model and returns its answer; with an anthropic-version header, or a key in x-api-key, request and reply are Anthropic's, and x-gatehouse-left-out names what the model can't be told. Idempotency-Key is honoured.",
      body: messageRequest,
      bodyBounds: conversation,
      reply: z.looseObject({}),
    },
    countMessageTokens: {
      method: "POST",
      effect: "acts",
      path: "/messages/count_tokens",
      limitedKeys: ["messages"],
      summary:
        "Estimates the prompt tokens of a request of Anthropic's Messages API, as a call is let in by them. Costs nothing.",
      body: countedMessage,
      bodyBounds: conversation,
      reply: z.object({ input_tokens: z.int() }),
    },
  },
);
