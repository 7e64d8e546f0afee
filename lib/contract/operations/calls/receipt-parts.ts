import * as z from "zod/mini";
import { decimal } from "../../schema";

const nullableName = z.nullable(z.string());
/**
 * One check of a call. `not_reached`: an earlier one refused. `would_refuse`: another limit refused for longer.
 * `not_limited`: no such limit applies. `unknown`: another check decided, and this one was not recorded. Figures are
 * decimal text; null if they were not recorded or the caller may not see them.
 */
export const requestCheck = z.object({
  check: z.string(),
  verdict: z.enum(["passed", "refused", "would_refuse", "not_limited", "not_reached", "unknown"]),
  /** The amount used, spent or available. */
  value: nullableName,
  limit: nullableName,
  /** The amount that this call required. */
  needed: nullableName,
  window: z.nullable(z.enum(["minute", "day", "month"])),
  /** What a spend limit applies to; null for other checks, and where it was not recorded. */
  scope: z.nullable(z.enum(["project", "organization"])),
});
export type RequestCheck = z.output<typeof requestCheck>;

const keyKinds = ["project_api_key", "service_account_key", "admin_api_key", "user"] as const;

/** The key or member that made the call; null if it is no longer known. */
export const requestKey = z.object({
  id: z.string(),
  kind: z.enum(keyKinds),
  name: z.string(),
  last_four: nullableName,
  /** The service account that a key belongs to, or a member's address. */
  owner: nullableName,
  is_active: z.boolean(),
});

/** The hold for the call's maximum cost, and its settlement. */
export const requestHold = z.object({
  amount: decimal,
  /** The unused part of the hold; null while the call is running. */
  released: z.nullable(decimal),
  currency: z.string(),
  state: z.enum(["open", "settled", "released"]),
});

/** Milliseconds after the call was admitted. */
const afterStart = z.nullable(z.int());

/** One attempt to call a provider. Times are null if they weren't recorded or the step wasn't reached. */
export const requestAttempt = z.object({
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  started_ms: z.int(),
  /**
   * When the provider was known to accept connections; null if it had answered so recently that this wasn't checked.
   */
  reached_ms: afterStart,
  /** When sending began. From then on the provider may have read the request. */
  sent_ms: afterStart,
  /** When the head of its reply arrived. */
  answered_ms: afterStart,
  ended_ms: afterStart,
  /** The HTTP status that it answered with. */
  status: z.nullable(z.int()),
  /** The error code that made the call fail or continue with another route; null for a successful attempt. */
  failure: nullableName,
  /** The provider's own id of the request. */
  provider_request_id: nullableName,
  /** Fields that the gateway adds otherwise, and left out because the provider refuses them. */
  left_out: z.array(z.string()),
});
export type RequestAttempt = z.output<typeof requestAttempt>;

/** Client details from a call's headers. Keys and other credentials are never recorded. */
export const requestClient = z.object({
  endpoint: z.enum([
    "chat/completions",
    "messages",
    "responses",
    "embeddings",
    "moderations",
    "images/generations",
    "images/edits",
    "videos",
    "audio/speech",
    "audio/transcriptions",
    "audio/translations",
  ]),
  user_agent: nullableName,
  /** The client's own id of the request, from `x-client-request-id` or `x-request-id`. */
  client_request_id: nullableName,
  /** Number of earlier tries by the client, as reported by OpenAI's and Anthropic's libraries. */
  retry_count: z.nullable(z.int()),
  content_length: z.nullable(z.int()),
  /** The first 16 digits of the SHA-256 of the `Idempotency-Key`; null without one. */
  idempotency_key_hash: nullableName,
  /** The member or admin key that made the call as another key; null if the key's own holder made it. */
  run_by: z.nullable(z.object({ id: z.string(), name: z.string() })),
});
export type RequestClient = z.output<typeof requestClient>;

/** The call's parameters besides its prompt; null for parameters that were left to the model. */
export const requestSettings = z.object({
  max_tokens: z.nullable(z.int()),
  temperature: z.nullable(z.number()),
  /** What a message in Anthropic's form had and its model could not be told, such as `context_management`. */
  left_out: z.nullable(z.array(z.string())),
  /** The output limit that the answer had instead; null where it had the one that was asked for, or none. */
  lowered_to: z.nullable(z.int()),
  /** What lowered it: the most that the model writes, or what the balance and the spend limits cover. */
  lowered_by: z.nullable(z.enum(["model", "balance"])),
  /** The saved prompt that a response was filled with, and the number of its version. */
  prompt: z.nullable(z.object({ id: z.string(), number: z.int() })),
});
export type RequestSettings = z.output<typeof requestSettings>;
