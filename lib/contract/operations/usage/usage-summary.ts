import * as z from "zod/mini";
import { type UsageDimension, usageDimensions } from "../../calls/usage-dimensions";
import { defineOperations } from "../../operation";
import { decimal, pageQuery, pageSchema, queryFlag, unixSeconds, wholeNumber } from "../../schema";
import { bucketWidths } from "./usage";

export type { UsageDimension };

/** The orders of groups, largest first; `failures` are errors and refusals. */
const usageOrders = ["amount", "requests", "tokens", "failures"] as const;
export type UsageOrder = (typeof usageOrders)[number];

/**
 * Which figures have latencies: all, only totals, or none. Those of buckets cost more than all other figures together.
 */
const latencyChoices = ["buckets", "totals", "none"] as const;
export type LatencyChoice = (typeof latencyChoices)[number];

const sumShape = {
  /** Unix seconds, inclusive; by default a day before `end_time`. */
  start_time: z.optional(wholeNumber(11)),
  /** Unix seconds, exclusive; by default now. */
  end_time: z.optional(wholeNumber(11)),
  /** The width of a bucket, by default one that fits the range; `range` makes the whole range one bucket. */
  bucket_width: z.optional(z.enum([...bucketWidths, "range"])),
  group_by: z.optional(z.enum(usageDimensions)),
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  /** The provider that answered, or the last one tried. Refused calls have none. */
  provider: z.optional(z.string()),
  api_key_id: z.optional(z.string()),
  /** A member who called from the console. */
  user_id: z.optional(z.string()),
};

/** The figures of calls, by their names in replies. */
const usageFigureNames = [
  "requests",
  "errors",
  "refusals",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "input_audio_tokens",
  "output_audio_tokens",
  "amount",
  "duration_p50_ms",
  "duration_p95_ms",
  "first_byte_p50_ms",
  "first_byte_p95_ms",
] as const;
export type UsageFigureName = (typeof usageFigureNames)[number];

const anyFigure = `(?:${usageFigureNames.join("|")})`;
const figureList = z.pipe(
  z
    .string()
    .check(
      z.regex(
        new RegExp(`^${anyFigure}(?:,${anyFigure}){0,${usageFigureNames.length - 1}}$`),
        "must be figures separated by commas, such as prompt_tokens,completion_tokens",
      ),
    ),
  z.transform((names) => [...new Set(names.split(","))] as UsageFigureName[]),
);

const summaryQuery = z.strictObject({
  ...sumShape,
  order_by: z.optional(z.enum(usageOrders)),
  /**
   * Which figures have latencies, by default `buckets` and totals. `totals` or `none` makes the reply several times
   * faster.
   */
  latencies: z.optional(z.enum(latencyChoices)),
  /** The figures that the reply has as `series` in place of `buckets`, which makes it many times shorter. */
  series: z.optional(figureList),
  /** `false` leaves out the range before, which makes the reply almost twice as fast. */
  previous: z.optional(queryFlag),
});
const sumQuery = z.extend(z.omit(pageQuery, { before: true }), {
  ...sumShape,
});
export type UsageSumQuery = z.output<typeof sumQuery>;
export type UsageSummaryQuery = z.output<typeof summaryQuery>;

const milliseconds = z.nullable(z.int());

const figureShape = {
  /** Calls that reached a provider, regardless of their outcome. */
  requests: z.int(),
  /** Those of `requests` that the provider failed, or that a crash of the gateway interrupted. */
  errors: z.int(),
  /** Calls that a check refused; they don't count as requests. */
  refusals: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** The part of the prompts' tokens that the provider read from its cache. */
  cached_tokens: z.int(),
  /** The parts of the prompts' and the completions' tokens that the providers reported as audio. */
  input_audio_tokens: z.int(),
  output_audio_tokens: z.int(),
  amount: decimal,
  /**
   * Median and 95th percentile of completed calls, to a precision of a sixteenth; null if there is none, or none was
   * requested.
   */
  duration_p50_ms: milliseconds,
  duration_p95_ms: milliseconds,
  /** The same for the time to the first byte. */
  first_byte_p50_ms: milliseconds,
  first_byte_p95_ms: milliseconds,
};
const figures = z.object(figureShape);
export type UsageFigures = z.output<typeof figures>;

/** The buckets with at least one call, oldest first. */
const buckets = z.array(z.object({ start_time: unixSeconds, ...figureShape }));
export type UsageBucket = z.output<typeof buckets>[number];

const counts = z.optional(z.array(z.int()));
const latencies = z.optional(z.array(milliseconds));
/**
 * The values of figures in each bucket of the range, oldest first, those without a call too. A query with `series` gets
 * them, and empty `buckets`.
 */
const series = z.optional(
  z.object({
    requests: counts,
    errors: counts,
    refusals: counts,
    prompt_tokens: counts,
    completion_tokens: counts,
    cached_tokens: counts,
    input_audio_tokens: counts,
    output_audio_tokens: counts,
    amount: z.optional(z.array(decimal)),
    duration_p50_ms: latencies,
    duration_p95_ms: latencies,
    first_byte_p50_ms: latencies,
    first_byte_p95_ms: latencies,
  }),
);
export type UsageSeries = NonNullable<z.output<typeof series>>;

/** `previous_totals` is null if the query leaves out the range before. */
const part = z.object({ totals: figures, previous_totals: z.nullable(figures), buckets, series });
export type UsagePart = z.output<typeof part>;

const group = z.extend(part, {
  /** Null for calls without one: a member's call has no key. */
  id: z.nullable(z.string()),
  /** The group's current name; null if it is no longer known. */
  name: z.nullable(z.string()),
  /** The current name of a key's project: keys of two projects may have one name. Only with `group_by=api_key_id`. */
  project_name: z.optional(z.nullable(z.string())),
});
export type UsageGroup = z.output<typeof group>;

const usageSummary = z.object({
  object: z.literal("usage.summary"),
  start_time: unixSeconds,
  end_time: unixSeconds,
  /**
   * Buckets begin at its multiples; the first and the last contain only their part of the range. With `range`, its
   * length.
   */
  bucket_seconds: z.int(),
  currency: z.string(),
  totals: figures,
  buckets,
  series,
  /** The range of the same length before, in whole buckets; null if the query leaves it out. */
  previous: z.nullable(
    z.object({ start_time: unixSeconds, end_time: unixSeconds, totals: figures, buckets, series }),
  ),
  group_by: z.nullable(z.enum(usageDimensions)),
  /** The largest ones, at most eight. */
  groups: z.array(group),
  /** All others combined; null if there are none. */
  rest: z.nullable(z.extend(part, { groups: z.int() })),
  /** Calls that are not summed yet, after an upgrade or under constant load. The figures contain all others. */
  pending_calls: z.int(),
});
export type UsageSummary = z.output<typeof usageSummary>;

/** The figures of one bucket and one group. */
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
  /** A key's project with its present name; null for other groups. Last, for readers of columns by their position. */
  project_id: z.nullable(z.string()),
  project_name: z.nullable(z.string()),
});
export type UsageSum = z.output<typeof usageSum>;

const hiddenFields = { api_key_id: true, user_id: true } as const;
const own = { open: "to every caller", because: "What somebody used is theirs to see." } as const;

export const usageSummaryOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    retrieveUsageSummary: {
      method: "GET",
      path: "/organization/usage_summary",
      scope: "any project",
      permission: "api.usage.read",
      summary:
        "Sums requests, tokens, charges, errors, refusals and latencies over time, in all and by group, beside the period before. Callers who hold the permission in a project get that project's figures.",
      query: summaryQuery,
      reply: usageSummary,
    },
    retrieveOwnUsageSummary: {
      method: "GET",
      path: "/organization/me/usage_summary",
      limitedKeys: "all",
      scope: "own",
      permission: own,
      summary:
        "Sums the requests, tokens, charges, errors, refusals and latencies of the caller's own calls over time.",
      query: z.omit(summaryQuery, hiddenFields),
      reply: usageSummary,
    },
    listUsageSums: {
      method: "GET",
      path: "/organization/usage_sums",
      scope: "any project",
      permission: "api.usage.read",
      summary:
        "Lists what the calls of each bucket and each group come to, oldest first and the whole of it.",
      query: sumQuery,
      reply: pageSchema(usageSum),
    },
    listOwnUsageSums: {
      method: "GET",
      path: "/organization/me/usage_sums",
      limitedKeys: "all",
      scope: "own",
      permission: own,
      summary:
        "Lists what the caller's own calls of each bucket and each group come to, oldest first and the whole of it.",
      query: z.omit(sumQuery, hiddenFields),
      reply: pageSchema(usageSum),
    },
  },
);
