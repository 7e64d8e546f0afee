import * as z from "zod/mini";
import { type RequestOutcome, requestOutcomes } from "../../calls/request-outcomes";
import { defineOperations } from "../../operation";
import { decimal, pageQuery, pageSchema, unixSeconds, wholeNumber } from "../../schema";
import { ledgerEntry } from "../money/balance";
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

const nullableName = z.nullable(z.string());

/** A call as recorded by the gateway. Fields that were not recorded are null. */
export const loggedRequest = z.object({
  object: z.literal("request"),
  id: z.string(),
  /** When it was admitted or refused. */
  created_at: unixSeconds,
  project_id: z.string(),
  /** The current names of the project and the key. */
  project_name: nullableName,
  /** The key, or the member who made the call in the console. */
  key_id: z.string(),
  key_name: nullableName,
  /** `unknown` if it was refused because the requested model doesn't exist. */
  model: z.string(),
  /** The provider that answered, or else the last one that was tried; null if none was tried or it wasn't recorded. */
  provider: nullableName,
  stream: z.nullable(z.boolean()),
  outcome: z.enum(requestOutcomes),
  /** The HTTP status it was answered with. */
  status: z.nullable(z.int()),
  /**
   * The check that refused it: the limit's field, `balance`, `spend_limit`, `concurrency`, `circuit_open`,
   * `provider_saturated` or the error's code.
   */
  refused_by: z.nullable(z.string()),
  prompt_tokens: z.nullable(z.int()),
  completion_tokens: z.nullable(z.int()),
  /** The part of the prompt tokens that the provider read from its cache; null if it didn't report that. */
  cached_tokens: z.nullable(z.int()),
  /**
   * The quantity in the unit of its model's price, such as 2 images or 42 characters; null for models priced by tokens.
   */
  units: z.nullable(decimal),
  unit: nullableName,
  /**
   * What the check that refused it needed, and what was left of it, as decimal text in the check's own unit; null if it
   * has no such figures or the caller may not see them.
   */
  needed: z.nullable(decimal),
  remaining: z.nullable(decimal),
  /** The limit as it was then, which may have been changed since. */
  limit: z.nullable(decimal),
  /** The estimate on which it was admitted or refused. */
  estimated_tokens: z.nullable(z.int()),
  /** The charge; null if the call was free or hasn't been charged yet. */
  amount: z.nullable(decimal),
  currency: z.string(),
  /** Milliseconds from its admission to the provider's first byte, and to its end. */
  first_byte_ms: z.nullable(z.int()),
  duration_ms: z.nullable(z.int()),
  /** The batch whose line it is; null for a live call. */
  batch_id: nullableName,
});
export type LoggedRequest = z.output<typeof loggedRequest>;

/** Refusals of one minute that were counted but not stored individually. */
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
  /** The provider that answered, or else the last one that was tried. */
  provider: z.optional(z.string()),
  api_key_id: z.optional(z.string()),
  /** The member who made the calls in the console. */
  user_id: z.optional(z.string()),
  outcome: z.optional(z.enum(requestOutcomes)),
  refused_by: z.optional(z.string()),
  status: z.optional(wholeNumber(3)),
  /** Selects calls with at least this charge. */
  min_amount: z.optional(decimal),
  /** Selects calls of at least this duration. */
  min_duration_ms: z.optional(wholeNumber(9)),
  /** One call, by its id or by that of its charge or hold. */
  request_id: z.optional(z.string()),
  /** The calls of one batch's lines. */
  batch_id: z.optional(z.string()),
};

const requestQuery = z.extend(pageQuery, filterShape);
export type RequestQuery = z.output<typeof requestQuery>;

/** A caller's own calls all belong to the caller, so there is no filter by key or user. */
const { api_key_id: _key, user_id: _user, ...ownFilterShape } = filterShape;
const ownRequestQuery = z.extend(pageQuery, ownFilterShape);

const histogramQuery = z.strictObject(filterShape);
export type HistogramQuery = z.output<typeof histogramQuery>;

const requestReceipt = z.object({
  object: z.literal("request.receipt"),
  id: z.string(),
  request: loggedRequest,
  /** The task that the call created; null for a call that was answered at once. */
  task_id: z.nullable(z.string()),
  key: z.nullable(requestKey),
  /** The checks in the order in which they are applied. */
  checks: z.array(requestCheck),
  /** Null for a call that was refused. */
  hold: z.nullable(requestHold),
  /**
   * Milliseconds after the refusal at which the same call would have passed if no other calls were made, or at which an
   * open circuit lets a call pass as a trial; null if never or unknown.
   */
  resets_in_ms: z.nullable(z.int()),
  /** The charge and, for callers who may read the ledger, the provider's variance beyond it. */
  entries: z.array(ledgerEntry),
  /** The attempts in their order; empty if no provider was called, or none was recorded. */
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

const requestHistogram = z.object({
  object: z.literal("request.histogram"),
  start_time: unixSeconds,
  end_time: unixSeconds,
  bucket_seconds: z.int(),
  /** The buckets with calls, oldest first. They include all refusals, also those that aren't listed. */
  buckets: z.array(z.object({ start_time: unixSeconds, ...counts })),
  totals: z.object({ ...counts, amount: decimal }),
  currency: z.string(),
  /** False if counting would take too long for this filter. There are no buckets then. */
  is_counted: z.boolean(),
});
export type RequestHistogram = z.output<typeof requestHistogram>;

const requestPage = z.extend(pageSchema(loggedRequest), {
  /**
   * The refusals within this page's time range that aren't listed, newest first. Only the first ten refusals per key
   * and minute are listed.
   */
  unlisted_refusals: z.array(unlistedRefusals),
});

export const requestOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    listRequests: {
      method: "GET",
      path: "/organization/requests",
      scope: "any project",
      permission: "api.requests.read",
      summary:
        "Lists calls, newest first: those under way, those that ended, and those a limit or the balance refused. Held in a project, it lists that project's.",
      query: requestQuery,
      reply: requestPage,
    },
    retrieveRequest: {
      method: "GET",
      path: "/organization/requests/{request_id}",
      scope: "any project",
      permission: "api.requests.read",
      summary:
        "Returns a call's receipt: each check in order, its hold, what was charged, and whose key it was.",
      reply: requestReceipt,
    },
    listOwnRequests: {
      method: "GET",
      path: "/organization/me/requests",
      limitedKeys: "all",
      scope: "own",
      permission: { open: "to every caller", because: "Somebody's own calls are theirs to see." },
      summary: "Lists the caller's own calls in all projects, newest first.",
      query: ownRequestQuery,
      reply: requestPage,
    },
    retrieveOwnRequest: {
      method: "GET",
      path: "/organization/me/requests/{request_id}",
      limitedKeys: "all",
      scope: "own",
      permission: {
        open: "to every caller",
        because: "What became of somebody's own call is theirs to see.",
      },
      summary: "Returns the receipt of one of the caller's own calls.",
      reply: requestReceipt,
    },
    retrieveRequestHistogram: {
      method: "GET",
      path: "/organization/request_histogram",
      scope: "any project",
      permission: "api.requests.read",
      summary:
        "Counts the calls that a filter leaves over time, by outcome, in about a hundred stretches or fewer, with what they cost.",
      query: histogramQuery,
      reply: requestHistogram,
    },
  },
);
