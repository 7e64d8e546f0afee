import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { queryFlag, queryList, unixSeconds, wholeNumber } from "../../schema";

export const bucketWidths = ["1m", "1h", "1d"] as const;
export type BucketWidth = (typeof bucketWidths)[number];

/** A range of time in buckets, in a query string. */
const rangeShape = {
  /** Unix seconds, inclusive. */
  start_time: wholeNumber(11),
  /** Unix seconds, exclusive; now if it is absent. */
  end_time: z.optional(wholeNumber(11)),
  /** How many buckets: by default 7 days (at most 31), 24 hours (168) or 60 minutes (1440); of costs 7 days (180). */
  limit: z.optional(wholeNumber(4)),
  /** The `next_page` of the page before. */
  page: z.optional(z.string()),
  project_ids: z.optional(queryList),
  api_key_ids: z.optional(queryList),
};

const usageShape = {
  ...rangeShape,
  bucket_width: z.optional(z.enum(bucketWidths)),
  user_ids: z.optional(queryList),
  models: z.optional(queryList),
};

const buildEnumList = <const Fields extends readonly string[]>(fields: Fields) =>
  z.optional(z.pipe(queryList, z.array(z.enum(fields))));

const mediaQuery = z.strictObject({
  ...usageShape,
  group_by: buildEnumList(["project_id", "user_id", "api_key_id", "model"]),
});
export type MediaUsageQuery = z.output<typeof mediaQuery>;

const completionsQuery = z.strictObject({
  ...usageShape,
  group_by: buildEnumList([
    "project_id",
    "user_id",
    "api_key_id",
    "model",
    "batch",
    "service_tier",
    "api_source",
  ]),
  batch: z.optional(queryFlag),
});
export type CompletionsUsageQuery = z.output<typeof completionsQuery>;

const costsQuery = z.strictObject({
  ...rangeShape,
  bucket_width: z.optional(z.enum(["1d"])),
  group_by: buildEnumList(["project_id", "user_id", "api_key_id", "line_item"]),
  /** Whole names of line items: `gpt-5-mini, input_tokens`. */
  line_items: z.optional(queryList),
});
export type CostsQuery = z.output<typeof costsQuery>;

/** Null if the usage is not grouped by it, or a call has none. */
const nullableGroup = z.nullable(z.string());
const groupShape = {
  project_id: nullableGroup,
  user_id: nullableGroup,
  api_key_id: nullableGroup,
  model: nullableGroup,
};

const completionsResult = z.object({
  object: z.literal("organization.usage.completions.result"),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** The part of the input that the provider had cached. */
  input_cached_tokens: z.int(),
  /** The parts of these tokens that are audio. */
  input_audio_tokens: z.int(),
  output_audio_tokens: z.int(),
  /** Calls that reached a provider, whatever their outcome. */
  num_model_requests: z.int(),
  ...groupShape,
  batch: z.nullable(z.boolean()),
  service_tier: z.null(),
  api_source: z.null(),
});

const imagesResult = z.object({
  object: z.literal("organization.usage.images.result"),
  images: z.int(),
  num_model_requests: z.int(),
  ...groupShape,
  size: z.null(),
  source: z.null(),
});

const audioSpeechesResult = z.object({
  object: z.literal("organization.usage.audio_speeches.result"),
  characters: z.int(),
  num_model_requests: z.int(),
  ...groupShape,
});

const audioTranscriptionsResult = z.object({
  object: z.literal("organization.usage.audio_transcriptions.result"),
  seconds: z.int(),
  num_model_requests: z.int(),
  ...groupShape,
});

const tokensResult = <const Name extends "embeddings" | "moderations">(name: Name) =>
  z.object({
    object: z.literal(`organization.usage.${name}.result`),
    input_tokens: z.int(),
    num_model_requests: z.int(),
    ...groupShape,
  });

const costsResult = z.object({
  object: z.literal("organization.costs.result"),
  /** `value` is written from the exact decimal; `currency` in lower case, as OpenAI has it. */
  amount: z.object({ value: z.number(), currency: z.string() }),
  project_id: nullableGroup,
  user_id: nullableGroup,
  api_key_id: nullableGroup,
  line_item: nullableGroup,
  quantity: z.nullable(z.number()),
  /** Null for megapixels, of which OpenAI has no unit. */
  quantity_unit: z.nullable(z.literal(["tokens", "images", "duration_seconds", "characters"])),
  api_source: z.null(),
});

/** A page of buckets, oldest first; one that nothing falls into has no results. */
function bucketSchema<Result extends z.ZodMiniType>(result: Result) {
  const bucket = z.object({
    object: z.literal("bucket"),
    start_time: unixSeconds,
    end_time: unixSeconds,
    results: z.array(result),
  });
  return z.object({
    object: z.literal("page"),
    data: z.array(bucket),
    has_more: z.boolean(),
    next_page: z.nullable(z.string()),
  });
}

/** The caller's own usage has no filters of users and keys. */
const ownQuery = z.omit(completionsQuery, { user_ids: true, api_key_ids: true, batch: true });

export const usageOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.usage.read" },
  {
    listCompletionsUsage: {
      method: "GET",
      path: "/organization/usage/completions",
      summary: "Sums the requests and tokens of chat models over time. A call counts when it came in.",
      query: completionsQuery,
      reply: bucketSchema(completionsResult),
    },
    listImagesUsage: {
      method: "GET",
      path: "/organization/usage/images",
      summary: "Sums the requests to image models over time, and the images that they made.",
      query: mediaQuery,
      reply: bucketSchema(imagesResult),
    },
    listAudioSpeechesUsage: {
      method: "GET",
      path: "/organization/usage/audio_speeches",
      summary: "Sums the requests to speech models over time, and the characters that they charged for.",
      query: mediaQuery,
      reply: bucketSchema(audioSpeechesResult),
    },
    listAudioTranscriptionsUsage: {
      method: "GET",
      path: "/organization/usage/audio_transcriptions",
      summary: "Sums the requests to transcription models over time, and the seconds that they charged for.",
      query: mediaQuery,
      reply: bucketSchema(audioTranscriptionsResult),
    },
    listEmbeddingsUsage: {
      method: "GET",
      path: "/organization/usage/embeddings",
      summary: "Sums the requests and tokens of embedding models over time.",
      query: mediaQuery,
      reply: bucketSchema(tokensResult("embeddings")),
    },
    listModerationsUsage: {
      method: "GET",
      path: "/organization/usage/moderations",
      summary: "Sums the requests and tokens of moderation models over time.",
      query: mediaQuery,
      reply: bucketSchema(tokensResult("moderations")),
    },
    listOwnUsage: {
      method: "GET",
      path: "/organization/me/usage",
      limitedKeys: "all",
      scope: "own",
      permission: { open: "to every caller", because: "What somebody used is theirs to see." },
      summary: "Sums the requests and tokens of the caller's own calls to chat models over time.",
      query: ownQuery,
      reply: bucketSchema(completionsResult),
    },
    listCosts: {
      method: "GET",
      path: "/organization/costs",
      summary: "Sums the ledger's charges by the day (UTC). A call counts on the day it came in.",
      query: costsQuery,
      reply: bucketSchema(costsResult),
    },
  },
);
