import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { decimal, pageOf, pageQuery, unixSeconds } from "../schema";

/**
 * How a call ended. `refused` and `unsent` reached no provider and count in no limit; `provider_failed` did and costs nothing;
 * `client_gone` and `interrupted` are charged for what was generated; `in_progress` has not ended.
 */
export const requestOutcomes = [
  "completed",
  "client_gone",
  "provider_failed",
  "interrupted",
  "refused",
  "unsent",
  "in_progress",
] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

const named = z.nullable(z.string());

/** A call as the gateway recorded it. What was not recorded is null. */
export const loggedRequest = z.object({
  object: z.literal("request"),
  id: z.string(),
  /** When it was admitted, or refused. */
  created_at: unixSeconds,
  project_id: z.string(),
  /** As it is called now, and so the key's. */
  project_name: named,
  /** The key, or the member who asked in the console. */
  key_id: z.string(),
  key_name: named,
  model: z.string(),
  stream: z.nullable(z.boolean()),
  outcome: z.enum(requestOutcomes),
  /** The HTTP status it was answered with. */
  status: z.nullable(z.int()),
  /** The check that refused it: the limit's field, `balance`, `spend_limit`, `concurrency` or `provider_saturated`. */
  refused_by: z.nullable(z.string()),
  prompt_tokens: z.nullable(z.int()),
  completion_tokens: z.nullable(z.int()),
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

const wholeNumber = (digits: number) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^\\d{1,${digits}}$`), "must be a whole number")),
    z.transform(Number),
  );

const filterShape = {
  /** Unix seconds, inclusive. */
  start_time: z.optional(wholeNumber(11)),
  /** Unix seconds, exclusive. */
  end_time: z.optional(wholeNumber(11)),
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  api_key_id: z.optional(z.string()),
  /** The member who asked in the console. */
  user_id: z.optional(z.string()),
  outcome: z.optional(z.enum(requestOutcomes)),
  refused_by: z.optional(z.string()),
  status: z.optional(wholeNumber(3)),
  /** Charged so much or more. */
  min_amount: z.optional(decimal),
  /** Took so long or longer. */
  min_duration_ms: z.optional(wholeNumber(9)),
  /** One call, by its id or by that of its charge or hold. */
  request_id: z.optional(z.string()),
};

const requestQuery = z.extend(pageQuery, filterShape);
export type RequestQuery = z.output<typeof requestQuery>;

const requestPage = z.extend(pageOf(loggedRequest), {
  /** Of the time that this page spans, newest first. Each key's first ten refusals of a minute are listed. */
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
};
