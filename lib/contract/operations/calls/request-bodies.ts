import * as z from "zod/mini";
import { MAX_KEPT_DAYS } from "../../bounds";
import { defineOperations } from "../../operation";
import { unixSeconds } from "../../schema";
import { withVersion } from "../../version";

/**
 * What a project stores of each call in addition to its receipt. `metadata`: parameters, names of tools, counts, roles
 * and sizes, but no text. `whole`: also the request and the answer.
 */
export const bodyModes = ["off", "metadata", "whole"] as const;
export type BodyMode = (typeof bodyModes)[number];

/** The maximum number of bytes stored of a request, and of an answer. */
export const MAX_KEPT_BYTES = 1024 * 1024;
export const MAX_REDACTIONS = 20;
export const MAX_REDACTION_LENGTH = 200;

const mode = z.enum(bodyModes);
const retentionDays = z.int().check(z.minimum(1), z.maximum(MAX_KEPT_DAYS));

const bodySettings = withVersion(
  z.object({
    object: z.literal("project.body_settings"),
    mode,
    /** A call's body is deleted this many days after the call. */
    retention_days: retentionDays,
    /** Regular expressions in RE2's syntax. Matching text is replaced before anything is stored. */
    redactions: z.array(z.string()),
  }),
);
export type BodySettings = z.output<typeof bodySettings>;

export const bodySettingsDraft = z.strictObject({
  mode,
  retention_days: retentionDays,
  redactions: z
    .array(z.string().check(z.minLength(1), z.maxLength(MAX_REDACTION_LENGTH)))
    .check(z.maxLength(MAX_REDACTIONS)),
});
export type BodySettingsDraft = z.output<typeof bodySettingsDraft>;

/** Consecutive messages of the same role. */
const messageCount = z.object({
  role: z.string(),
  messages: z.int(),
  /** The size of their text in UTF-8. */
  bytes: z.int(),
  /** The distinct types of parts other than text, such as `image_url`. */
  parts: z.array(z.string()),
});

/** A description of a body without its text. */
const bodyMetadata = z.object({
  request_bytes: z.int(),
  /** Null if the call was not answered. */
  reply_bytes: z.nullable(z.int()),
  /** Request parameters that are numbers, booleans or short enumerated words, by name. */
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  tools: z.array(z.string()),
  messages: z.array(messageCount),
  choices: z.int(),
  finish_reasons: z.array(z.string()),
  tool_calls: z.array(z.string()),
});
export type BodyMetadata = z.output<typeof bodyMetadata>;

/**
 * The stored part of a call's body. `off`: the project stored nothing at that time. `expired`: its retention is over.
 * `pending`: the call has not ended. `lost`: it should have been stored, but the gateway was stopped or overloaded.
 */
export const receiptBody = z.object({
  state: z.enum(["off", "metadata", "whole", "expired", "pending", "lost"]),
  /** When it is deleted; null if nothing is kept. */
  kept_until: z.nullable(unixSeconds),
  /** Whether the caller may read request and answer. */
  is_readable: z.boolean(),
  metadata: z.nullable(bodyMetadata),
});
export type ReceiptBody = z.output<typeof receiptBody>;

/** JSON text, after redaction. A streamed answer is shown as one chat completion, assembled from its events. */
const keptText = z.object({
  /** Null if the project has patterns and the text can't be redacted: it was cut, is not JSON, or took too long. */
  text: z.nullable(z.string()),
  /** True if the text was longer than the stored part. */
  is_cut: z.boolean(),
});

const requestBody = z.object({
  object: z.literal("request.body"),
  request_id: z.string(),
  kept_until: unixSeconds,
  request: keptText,
  /** Null if the call was not answered. */
  reply: z.nullable(keptText),
  /** The number of passages replaced by `[redacted]`. */
  redacted: z.int(),
});
export type RequestBody = z.output<typeof requestBody>;

export const requestBodyOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    retrieveRequestBody: {
      method: "GET",
      path: "/organization/requests/{request_id}/body",
      scope: "any project",
      permission: "api.request_bodies.read",
      summary:
        "Returns the request and the answer of a call whose project keeps them. Each reading is an event of the audit log.",
      reply: requestBody,
    },
    retrieveBodySettings: {
      method: "GET",
      path: "/organization/projects/{project_id}/body_settings",
      scope: "project",
      permission: "api.projects.read",
      summary: "Returns what a project keeps of the bodies of its calls, and for how long.",
      reply: bodySettings,
    },
    saveBodySettings: {
      method: "POST",
      effect: "sets",
      path: "/organization/projects/{project_id}/body_settings",
      scope: "project",
      permission: "api.request_bodies.write",
      summary:
        "Sets what a project keeps of the bodies of its calls, from the next call on. A shorter retention applies to what is kept already.",
      body: bodySettingsDraft,
      reply: bodySettings,
    },
  },
);
