import * as z from "zod/mini";
import { type RateLimitField, rateLimitFields } from "../../calls/rate-limit-table";
import { batchStatuses } from "../../calls/task-statuses";
import { defineOperations } from "../../operation";
import { decimal, orderedPageQuery, pageSchema, unixSeconds } from "../../schema";
import { refusalPreview } from "../calls/completions";
import { expiresAfter } from "./files";

export const batchEndpoints = ["/v1/chat/completions", "/v1/responses", "/v1/embeddings"] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];

export const MAX_BATCH_LINES = 50_000;
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const time = z.nullable(unixSeconds);

/** The possible reasons why lines wait: a rate limit's field, or one of these. */
export const batchWaits = [
  ...(rateLimitFields as [RateLimitField, ...RateLimitField[]]),
  "balance",
  "spend_limit",
  "concurrency",
  "live_calls",
  "provider",
] as const;
export type BatchWait = (typeof batchWaits)[number];

/** Follows OpenAI's API reference, "The batch object". */
const batch = z.object({
  id: z.string(),
  object: z.literal("batch"),
  endpoint: z.enum(batchEndpoints),
  model: z.string(),
  project_id: z.string(),
  /** The key, or the member, that created it and pays for its lines. */
  key_id: z.string(),
  /** Always null: a file with a wrong line is refused when the batch is created. */
  errors: z.null(),
  input_file_id: z.string(),
  completion_window: z.literal("24h"),
  /** `in_progress → completed | expired`, or `in_progress → cancelling → cancelled`. */
  status: z.enum(batchStatuses),
  /** One line for each reply with a 2xx status; null until the batch has ended, and if there is no such reply. */
  output_file_id: z.nullable(z.string()),
  /** One line for each call that failed, or that the window ended before. */
  error_file_id: z.nullable(z.string()),
  created_at: unixSeconds,
  in_progress_at: unixSeconds,
  expires_at: unixSeconds,
  finalizing_at: time,
  completed_at: time,
  failed_at: z.null(),
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  usage: z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  }),
  /** The charges of its lines so far; null for batches that are older than this field. */
  amount: z.nullable(decimal),
  currency: z.string(),
  /** Null if the batch has ended, or if this process hasn't started it. */
  pace: z.nullable(
    z.object({
      /** Lines answered in the last 60 seconds. */
      lines_per_minute: z.int(),
      /** Null if lines start without delay. */
      waits_for: z.nullable(z.enum(batchWaits)),
    }),
  ),
  metadata: z.nullable(z.record(z.string(), z.string())),
});
export type Batch = z.output<typeof batch>;

const metadata = z
  .record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(512)))
  .check(z.refine((pairs) => Object.keys(pairs).length <= 16, { message: "may have at most 16 keys" }));

const batchDraft = z.strictObject({
  input_file_id: z.string().check(z.minLength(1)),
  endpoint: z.enum(batchEndpoints),
  completion_window: z.literal("24h"),
  metadata: z.optional(z.nullable(metadata)),
  output_expires_after: z.optional(expiresAfter),
});
export type BatchDraft = z.output<typeof batchDraft>;

const batchQuestion = z.strictObject({
  input_file_id: z.string().check(z.minLength(1)),
  endpoint: z.enum(batchEndpoints),
});

const count = z.int().check(z.minimum(0));

/** A preview of a batch of a file. */
const batchPreview = z.object({
  object: z.literal("batch.preview"),
  input_file_id: z.string(),
  endpoint: z.enum(batchEndpoints),
  model: z.string(),
  lines: count,
  /** The estimated sum over all lines. */
  input_tokens: count,
  currency: z.string(),
  /** The charges of all lines, with outputs of the expected length. */
  expected_charge: decimal,
  /** The same with the maximum outputs that the lines allow. */
  most_charge: decimal,
  /** The limit on a day's batch input tokens and its present use, without this batch; null if there is no limit. */
  limit: z.nullable(z.object({ max: count, used: count })),
  /** Null if the batch can be created now. */
  refusal: z.nullable(refusalPreview),
});
export type BatchPreview = z.output<typeof batchPreview>;

/** A batch's failed lines, grouped by their error. */
const batchErrors = z.object({
  object: z.literal("batch.errors"),
  batch_id: z.string(),
  failed: count,
  /** False if only the beginning of a very long error file was read. */
  is_complete: z.boolean(),
  /** Sorted by the number of lines, largest first. */
  groups: z.array(
    z.object({
      /** Null for lines that were not answered before the completion window ended. */
      status: z.nullable(z.int()),
      code: z.nullable(z.string()),
      /** The message of the first line. */
      message: z.string(),
      count,
      /** The first lines of the group. */
      lines: z.array(z.object({ line: z.int(), custom_id: z.string(), request_id: z.nullable(z.string()) })),
    }),
  ),
});
export type BatchErrors = z.output<typeof batchErrors>;

export const batchOperations = {
  ...defineOperations(
    { surface: "v1", scope: "named project", permission: "api.batches.write" },
    {
      previewBatch: {
        method: "POST",
        effect: "acts",
        path: "/batches/preview",
        limitedKeys: ["batches"],
        summary:
          "Checks a file's lines and says what a batch of them would be: its size, about what it would cost, and whether the day's batch input tokens allow it. Creates and counts nothing.",
        body: batchQuestion,
        reply: batchPreview,
      },
      createBatch: {
        method: "POST",
        effect: "creates",
        path: "/batches",
        limitedKeys: ["batches"],
        summary:
          "Runs the lines of a file as calls in the background, each charged once. The prompts of the whole file count in batch_1_day_max_input_tokens at once.",
        body: batchDraft,
        reply: batch,
      },
    },
  ),
  ...defineOperations(
    { surface: "v1", scope: "any project" },
    {
      listBatches: {
        method: "GET",
        path: "/batches",
        limitedKeys: ["batches"],
        permission: "api.batches.read",
        summary: "Lists batches, newest first.",
        query: z.extend(orderedPageQuery, {
          project_id: z.optional(z.string()),
          status: z.optional(z.enum(batchStatuses)),
          model: z.optional(z.string()),
        }),
        reply: pageSchema(batch),
      },
      retrieveBatch: {
        method: "GET",
        path: "/batches/{batch_id}",
        limitedKeys: ["batches"],
        permission: "api.batches.read",
        summary: "Returns a batch: how far it is, what it used and cost, and the files of its results.",
        reply: batch,
      },
      retrieveBatchErrors: {
        method: "GET",
        path: "/batches/{batch_id}/errors",
        limitedKeys: ["batches"],
        permission: "api.batches.read",
        summary: "Returns a batch's failed lines, grouped by their error, while it runs and after its end.",
        reply: batchErrors,
      },
      cancelBatch: {
        method: "POST",
        effect: "acts",
        path: "/batches/{batch_id}/cancel",
        limitedKeys: ["batches"],
        permission: "api.batches.write",
        summary:
          "Stops a batch once the lines that are being answered are. What was answered stays, and is charged.",
        reply: batch,
      },
    },
  ),
};
