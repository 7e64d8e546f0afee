import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { decimal, pageOf, pageQuery, unixSeconds, wholeNumber } from "../schema";
import { bucketWidths } from "./usage";

/** What a summary tells apart, by the fields of a call. */
export const usageDimensions = ["project_id", "model", "provider", "api_key_id", "user_id"] as const;
export type UsageDimension = (typeof usageDimensions)[number];

/** What groups can be put in the order of, the largest first; `failures` are errors and refusals. */
export const usageOrders = ["amount", "requests", "tokens", "failures"] as const;
export type UsageOrder = (typeof usageOrders)[number];

const sumShape = {
  /** Unix seconds, inclusive; a day before `end_time` where it is absent. */
  start_time: z.optional(wholeNumber(11)),
  /** Unix seconds, exclusive; now where it is absent. */
  end_time: z.optional(wholeNumber(11)),
  /** How long a bucket is: what fits the range where it is absent. */
  bucket_width: z.optional(z.enum(bucketWidths)),
  group_by: z.optional(z.enum(usageDimensions)),
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  /** The one that answered, or was the last to be asked. Refused calls have none. */
  provider: z.optional(z.string()),
  api_key_id: z.optional(z.string()),
  /** The member who asked in the console. */
  user_id: z.optional(z.string()),
};
const summaryQuery = z.strictObject({ ...sumShape, order_by: z.optional(z.enum(usageOrders)) });
const sumQuery = z.extend(z.omit(pageQuery, { before: true }), {
  ...sumShape,
  /** `range` is the whole of it as one. */
  bucket_width: z.optional(z.enum([...bucketWidths, "range"])),
});
export type UsageSumQuery = z.output<typeof sumQuery>;
export type UsageSummaryQuery = z.output<typeof summaryQuery>;

const milliseconds = z.nullable(z.int());

const figureShape = {
  /** Calls that reached a provider, whatever came of them. */
  requests: z.int(),
  /** Of those, what the provider failed, or a crash of the gateway interrupted. */
  errors: z.int(),
  /** Calls that a check refused: none of them is a request. */
  refusals: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Of the prompt's tokens, those that the provider read from its cache. */
  cached_tokens: z.int(),
  amount: decimal,
  /** Of completed calls, to a sixteenth: half of them took at most so long, and 95 of 100; null where there is none. */
  duration_p50_ms: milliseconds,
  duration_p95_ms: milliseconds,
  /** The same to the provider's first byte. */
  first_byte_p50_ms: milliseconds,
  first_byte_p95_ms: milliseconds,
};
const figures = z.object(figureShape);
export type UsageFigures = z.output<typeof figures>;

/** The buckets that a call falls into, oldest first. */
const buckets = z.array(z.object({ start_time: unixSeconds, ...figureShape }));
export type UsageBucket = z.output<typeof buckets>[number];

const part = z.object({ totals: figures, previous_totals: figures, buckets });
export type UsagePart = z.output<typeof part>;

const group = z.extend(part, {
  /** Null for calls that have none: a member's call has no key. */
  id: z.nullable(z.string()),
  /** Its present name; null where it is no longer known. */
  name: z.nullable(z.string()),
});
export type UsageGroup = z.output<typeof group>;

export const usageSummary = z.object({
  object: z.literal("usage.summary"),
  start_time: unixSeconds,
  end_time: unixSeconds,
  /** Buckets begin at its multiples; the first and the last hold what of them lies in the range. */
  bucket_seconds: z.int(),
  currency: z.string(),
  totals: figures,
  buckets,
  /** The stretch of the same length, whole buckets before. */
  previous: z.object({ start_time: unixSeconds, end_time: unixSeconds, totals: figures, buckets }),
  group_by: z.nullable(z.enum(usageDimensions)),
  /** The largest, at most eight. */
  groups: z.array(group),
  /** All others together; null where there are none. */
  rest: z.nullable(z.extend(part, { groups: z.int() })),
  /** Calls that are not added up yet, after an upgrade or under a load that never pauses: figures hold all others. */
  pending_calls: z.int(),
});
export type UsageSummary = z.output<typeof usageSummary>;

/** What the calls of one bucket and one group come to. */
const usageSum = z.object({
  object: z.literal("usage.sum"),
  id: z.string(),
  start_time: unixSeconds,
  end_time: unixSeconds,
  group_by: z.nullable(z.enum(usageDimensions)),
  group_id: z.nullable(z.string()),
  group_name: z.nullable(z.string()),
  ...figureShape,
  currency: z.string(),
});
export type UsageSum = z.output<typeof usageSum>;

const ofOthers = { api_key_id: true, user_id: true } as const;
const own = { open: "to every caller", because: "What somebody used is theirs to see." } as const;

export const usageSummaryOperations = {
  retrieveUsageSummary: defineOperation({
    id: "retrieveUsageSummary",
    method: "GET",
    path: "/organization/usage_summary",
    surface: "v1 and origin",
    scope: "any project",
    permission: "api.usage.read",
    summary:
      "Sums requests, tokens, charges, errors, refusals and latencies over time, in all and by group, beside the period before. Held in a project, it sums that project's.",
    query: summaryQuery,
    reply: usageSummary,
  }),
  retrieveOwnUsageSummary: defineOperation({
    id: "retrieveOwnUsageSummary",
    method: "GET",
    path: "/organization/me/usage_summary",
    surface: "v1 and origin",
    scope: "own",
    permission: own,
    summary: "The same of the calls that the member or key who asks has made.",
    query: z.omit(summaryQuery, ofOthers),
    reply: usageSummary,
  }),
  listUsageSums: defineOperation({
    id: "listUsageSums",
    method: "GET",
    path: "/organization/usage_sums",
    surface: "v1 and origin",
    scope: "any project",
    permission: "api.usage.read",
    summary: "Lists what the calls of each bucket and each group come to, oldest first and the whole of it.",
    query: sumQuery,
    reply: pageOf(usageSum),
  }),
  listOwnUsageSums: defineOperation({
    id: "listOwnUsageSums",
    method: "GET",
    path: "/organization/me/usage_sums",
    surface: "v1 and origin",
    scope: "own",
    permission: own,
    summary: "The same of the calls that the member or key who asks has made.",
    query: z.omit(sumQuery, ofOthers),
    reply: pageOf(usageSum),
  }),
};
