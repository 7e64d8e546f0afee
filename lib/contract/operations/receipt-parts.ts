import * as z from "zod/mini";
import { decimal } from "../schema";

const named = z.nullable(z.string());
/**
 * One check of a call. `not_reached`: an earlier one refused. `would_refuse`: another limit refused for longer. `not_limited`: no
 * such limit applies. `unknown`: another check decided, and this one was not recorded. Figures are decimal text; null where they were
 * not recorded or the caller may not see them.
 */
export const requestCheck = z.object({
  check: z.string(),
  verdict: z.enum(["passed", "refused", "would_refuse", "not_limited", "not_reached", "unknown"]),
  /** What was used, spent or available. */
  value: named,
  limit: named,
  /** What this call needed of it. */
  needed: named,
  window: z.nullable(z.enum(["minute", "day", "month"])),
});
export type RequestCheck = z.output<typeof requestCheck>;

const keyKinds = ["project_api_key", "service_account_key", "admin_api_key", "user"] as const;

/** The key or member that made the call; null where it is no longer known. */
export const requestKey = z.object({
  id: z.string(),
  kind: z.enum(keyKinds),
  name: z.string(),
  last_four: named,
  /** The service account that a key belongs to, or a member's address. */
  owner: named,
  is_active: z.boolean(),
});

/** The most that the call could cost, and what became of it. */
export const requestHold = z.object({
  amount: decimal,
  /** What of it was not needed; null while the call is under way. */
  released: z.nullable(decimal),
  currency: z.string(),
  state: z.enum(["open", "settled", "released"]),
});

/** Milliseconds after the call was admitted. */
const afterStart = z.nullable(z.int());

/** A provider that a call was sent to, or was to be sent to. Times that were not recorded, or never came, are null. */
export const requestAttempt = z.object({
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  started_ms: z.int(),
  /** When the provider was known to accept connections; null where it had answered so lately that nobody asked. */
  reached_ms: afterStart,
  /** From here on the provider may have read the request. */
  sent_ms: afterStart,
  /** When the head of its reply came. */
  answered_ms: afterStart,
  ended_ms: afterStart,
  /** The HTTP status that it answered with. */
  status: z.nullable(z.int()),
  /** Why the call went on to another route, or failed: the code of the error; null for an attempt that did not fail. */
  failure: named,
  /** The provider's own id of the request. */
  provider_request_id: named,
});
export type RequestAttempt = z.output<typeof requestAttempt>;

/** What a call's headers said of who sent it. Keys and other credentials are never recorded. */
export const requestClient = z.object({
  endpoint: z.enum([
    "chat/completions",
    "messages",
    "embeddings",
    "moderations",
    "images/generations",
    "videos",
    "audio/speech",
    "audio/transcriptions",
    "audio/translations",
  ]),
  user_agent: named,
  /** The client's own id of the request, from `x-client-request-id` or `x-request-id`. */
  client_request_id: named,
  /** How often the client had tried before, as OpenAI's and Anthropic's libraries say. */
  retry_count: z.nullable(z.int()),
  content_length: z.nullable(z.int()),
  /** The first 16 digits of the SHA-256 of the `Idempotency-Key`; null without one. */
  idempotency_key_hash: named,
  /** The member or admin key that ran the call as the key it counts for; null for a call that the key's own holder made. */
  run_by: z.nullable(z.object({ id: z.string(), name: z.string() })),
});
export type RequestClient = z.output<typeof requestClient>;

/** What the call asked for besides its prompt; null for what it left to the model. */
export const requestSettings = z.object({
  max_tokens: z.nullable(z.int()),
  temperature: z.nullable(z.number()),
});
export type RequestSettings = z.output<typeof requestSettings>;
