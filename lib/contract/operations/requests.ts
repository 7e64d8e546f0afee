import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { type RequestOutcome, requestOutcomes } from "../request-outcomes";
import { decimal, pageOf, pageQuery, unixSeconds, wholeNumber } from "../schema";
import { ledgerEntry } from "./balance";
import {
  requestAttempt,
  requestCheck,
  requestClient,
  requestHold,
  requestKey,
  requestSettings,
} from "./receipt-parts";
import { receiptBody } from "./request-bodies";

export type { RequestOutcome };

const named = z.nullable(z.string());

/** A call as recorded by the gateway. Fields that were not recorded are null. */
export const loggedRequest = z.object({
  object: z.literal("request"),
  id: z.string(),
  /** When it was admitted, or refused. */
  created_at: unixSeconds,
  project_id: z.string(),
  /** The project's present name; so is the key's. */
  project_name: named,
  /** The key, or the member who asked in the console. */
  key_id: z.string(),
  key_name: named,
  /** `unknown` where it was refused for naming none there is. */
  model: z.string(),
  /** The provider that answered, or was the last to be asked; null where none was, or it was not recorded. */
  provider: named,
  stream: z.nullable(z.boolean()),
  outcome: z.enum(requestOutcomes),
  /** The HTTP status it was answered with. */
  status: z.nullable(z.int()),
  /** What refused it: the limit's field, `balance`, `spend_limit`, `concurrency`, `circuit_open`, `provider_saturated` or the code of the error. */
  refused_by: z.nullable(z.string()),
  prompt_tokens: z.nullable(z.int()),
  completion_tokens: z.nullable(z.int()),
  /** Of the prompt's tokens, those that the provider read from its cache; null where it didn't say. */
  cached_tokens: z.nullable(z.int()),
  /** What it came to in the unit of its model's price, such as 2 images or 42 characters; null for a model priced by tokens. */
  units: z.nullable(decimal),
  unit: named,
  /** What it was admitted on, or refused for. */
  estimated_tokens: z.nullable(z.int()),
  /** What it was charged; null where it costs nothing, or nothing yet. */
  amount: z.nullable(decimal),
  currency: z.string(),
  /** From its admission to the provider's first byte, and to its end. */
  first_byte_ms: z.nullable(z.int()),
  duration_ms: z.nullable(z.int()),
});
export type LoggedRequest = z.output<typeof loggedRequest>;

/** Refusals of one minute that were counted and not kept one by one. */
const unlistedRefusals = z.object({
  /** When the minute begins. */
  minute: unixSeconds,
  refusals: z.int(),
});
export type UnlistedRefusals = z.output<typeof unlistedRefusals>;

const filterShape = {
  /** Unix seconds, inclusive. */
  start_time: z.optional(wholeNumber(11)),
  /** Unix seconds, exclusive. */
  end_time: z.optional(wholeNumber(11)),
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  /** The one that answered, or was the last to be asked. */
  provider: z.optional(z.string()),
  api_key_id: z.optional(z.string()),
  /** The member who asked in the console. */
  user_id: z.optional(z.string()),
  outcome: z.optional(z.enum(requestOutcomes)),
  refused_by: z.optional(z.string()),
  status: z.optional(wholeNumber(3)),
  /** At least this charge. */
  min_amount: z.optional(decimal),
  /** At least this duration. */
  min_duration_ms: z.optional(wholeNumber(9)),
  /** One call, by its id or by that of its charge or hold. */
  request_id: z.optional(z.string()),
};

const requestQuery = z.extend(pageQuery, filterShape);
export type RequestQuery = z.output<typeof requestQuery>;

/** Whose calls they are is known. */
const { api_key_id: _key, user_id: _user, ...ownFilterShape } = filterShape;
const ownRequestQuery = z.extend(pageQuery, ownFilterShape);

const histogramQuery = z.strictObject(filterShape);
export type HistogramQuery = z.output<typeof histogramQuery>;

export const requestReceipt = z.object({
  object: z.literal("request.receipt"),
  id: z.string(),
  request: loggedRequest,
  key: z.nullable(requestKey),
  /** In the order in which a call meets them. */
  checks: z.array(requestCheck),
  /** Null for a call that was refused. */
  hold: z.nullable(requestHold),
  /**
   * The time after the refusal at which the same call would have passed without other calls, or at which an open circuit lets a call
   * through as a trial, in milliseconds; null where never, or unknown.
   */
  resets_in_ms: z.nullable(z.int()),
  /** The charge and, for callers who may read the ledger, what the provider took beyond it. */
  entries: z.array(ledgerEntry),
  /** In their order; empty where no provider was called, or it was not recorded. */
  attempts: z.array(requestAttempt),
  client: z.nullable(requestClient),
  settings: z.nullable(requestSettings),
  body: receiptBody,
});
export type RequestReceipt = z.output<typeof requestReceipt>;

const counts = Object.fromEntries(requestOutcomes.map((outcome) => [outcome, z.int()])) as Record<
  RequestOutcome,
  z.ZodMiniInt
>;

export const requestHistogram = z.object({
  object: z.literal("request.histogram"),
  start_time: unixSeconds,
  end_time: unixSeconds,
  bucket_seconds: z.int(),
  /** Those with a call, oldest first. Refusals are all of them, also those that are in no list. */
  buckets: z.array(z.object({ start_time: unixSeconds, ...counts })),
  totals: z.object({ ...counts, amount: decimal }),
  currency: z.string(),
  /** False where the filter would take long to count: there are no buckets then. */
  is_counted: z.boolean(),
});
export type RequestHistogram = z.output<typeof requestHistogram>;

const requestPage = z.extend(pageOf(loggedRequest), {
  /**
   * Refusals in the time of this page that are not listed, newest first. Of each key, the first ten refusals of a minute are
   * listed.
   */
  unlisted_refusals: z.array(unlistedRefusals),
});

export const requestOperations = {
  listRequests: defineOperation({
    id: "listRequests",
    method: "GET",
    path: "/organization/requests",
    surface: "v1 and origin",
    scope: "any project",
    permission: "api.requests.read",
    summary:
      "Lists calls, newest first: those under way, those that ended, and those a limit or the balance refused. Held in a project, it lists that project's.",
    query: requestQuery,
    reply: requestPage,
  }),
  retrieveRequest: defineOperation({
    id: "retrieveRequest",
    method: "GET",
    path: "/organization/requests/{request_id}",
    surface: "v1 and origin",
    scope: "any project",
    permission: "api.requests.read",
    summary:
      "Returns a call's receipt: each check in order, its hold, what was charged, and whose key it was.",
    reply: requestReceipt,
  }),
  listOwnRequests: defineOperation({
    id: "listOwnRequests",
    method: "GET",
    path: "/organization/me/requests",
    surface: "v1 and origin",
    scope: "own",
    permission: { open: "to every caller", because: "Somebody's own calls are theirs to see." },
    summary: "The same of the calls that the member or key who asks has made, in any project.",
    query: ownRequestQuery,
    reply: requestPage,
  }),
  retrieveOwnRequest: defineOperation({
    id: "retrieveOwnRequest",
    method: "GET",
    path: "/organization/me/requests/{request_id}",
    surface: "v1 and origin",
    scope: "own",
    permission: { open: "to every caller", because: "What became of somebody's own call is theirs to see." },
    summary: "The same of a call that the member or key who asks has made.",
    reply: requestReceipt,
  }),
  retrieveRequestHistogram: defineOperation({
    id: "retrieveRequestHistogram",
    method: "GET",
    path: "/organization/request_histogram",
    surface: "v1 and origin",
    scope: "any project",
    permission: "api.requests.read",
    summary:
      "Counts the calls that a filter leaves over time, by outcome, in about a hundred stretches or fewer, with what they cost.",
    query: histogramQuery,
    reply: requestHistogram,
  }),
};
