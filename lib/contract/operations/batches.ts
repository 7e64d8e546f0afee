import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { orderedPageQuery, pageOf, unixSeconds } from "../schema";
import { expiresAfter } from "./files";

export const batchEndpoints = ["/v1/chat/completions", "/v1/embeddings"] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];
export const batchStatuses = ["in_progress", "cancelling", "completed", "expired", "cancelled"] as const;

export const MOST_BATCH_LINES = 50_000;
export const MOST_LINE_BYTES = 8 * 1024 * 1024;

const time = z.nullable(unixSeconds);

/** Follows OpenAI's API reference, "The batch object". */
export const batch = z.object({
  id: z.string(),
  object: z.literal("batch"),
  endpoint: z.enum(batchEndpoints),
  model: z.string(),
  project_id: z.string(),
  /** Always null: a file with a wrong line is refused when the batch is created. */
  errors: z.null(),
  input_file_id: z.string(),
  completion_window: z.literal("24h"),
  /** `in_progress → completed | expired`, or `in_progress → cancelling → cancelled`. */
  status: z.enum(batchStatuses),
  /** One line for each reply with a 2xx status; null until the batch has ended, and where there is no such reply. */
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
  metadata: z.nullable(z.record(z.string(), z.string())),
});
export type Batch = z.output<typeof batch>;

const metadata = z
  .record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(512)))
  .check(z.refine((pairs) => Object.keys(pairs).length <= 16, { message: "may have at most 16 keys" }));

export const batchDraft = z.strictObject({
  input_file_id: z.string().check(z.minLength(1)),
  endpoint: z.enum(batchEndpoints),
  completion_window: z.literal("24h"),
  metadata: z.optional(z.nullable(metadata)),
  output_expires_after: z.optional(expiresAfter),
});
export type BatchDraft = z.output<typeof batchDraft>;

export const batchOperations = {
  createBatch: defineOperation({
    id: "createBatch",
    method: "POST",
    effect: "creates",
    path: "/batches",
    surface: "v1",
    scope: "named project",
    permission: "api.batches.write",
    summary:
      "Runs the lines of a file as calls in the background, each charged once. The prompts of the whole file count in batch_1_day_max_input_tokens at once.",
    body: batchDraft,
    reply: batch,
  }),
  listBatches: defineOperation({
    id: "listBatches",
    method: "GET",
    path: "/batches",
    surface: "v1",
    scope: "any project",
    permission: "api.batches.read",
    summary: "Lists batches, newest first.",
    query: z.extend(orderedPageQuery, { project_id: z.optional(z.string()) }),
    reply: pageOf(batch),
  }),
  retrieveBatch: defineOperation({
    id: "retrieveBatch",
    method: "GET",
    path: "/batches/{batch_id}",
    surface: "v1",
    scope: "any project",
    permission: "api.batches.read",
    summary: "Returns a batch: how far it is, what it used, and the files of its results.",
    reply: batch,
  }),
  cancelBatch: defineOperation({
    id: "cancelBatch",
    method: "POST",
    effect: "acts",
    path: "/batches/{batch_id}/cancel",
    surface: "v1",
    scope: "any project",
    permission: "api.batches.write",
    summary:
      "Stops a batch once the lines that are being answered are. What was answered stays, and is charged.",
    reply: batch,
  }),
};
