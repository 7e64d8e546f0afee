import * as z from "zod/mini";

const count = z.int().check(z.minimum(0));

/** `error.limit` of a 429: the limit that refused, its use, and when it admits the same request. */
export const limitRefusal = z.object({
  field: z.string(),
  max: count,
  used: count,
  requested: count,
  /** Null if the request is larger than the whole limit and can never pass. */
  resets_in_ms: z.nullable(z.number()),
  project: z.string(),
  model: z.string(),
});
export type LimitRefusal = Readonly<z.output<typeof limitRefusal>>;

/** `error.balance` of a 402, decimal strings. */
export const balanceRefusal = z.object({
  /** Absent for callers without `api.balance.read`. */
  available: z.optional(z.string()),
  required: z.string(),
  currency: z.string(),
});
export type BalanceRefusal = Readonly<z.output<typeof balanceRefusal>>;

/**
 * `error.spend_limit` of a 402: the scope of the limit, its figures as decimal strings, and when its next month begins.
 */
export const spendLimitRefusal = z.object({
  /** Null for the organization's own limit. */
  project: z.nullable(z.string()),
  /** Absent, like `spent`, for callers without `api.spend_limits.read`. */
  threshold: z.optional(z.string()),
  /** The charges of this month, plus the holds of calls in progress. */
  spent: z.optional(z.string()),
  required: z.string(),
  currency: z.string(),
  resets_at: z.number(),
});
export type SpendLimitRefusal = Readonly<z.output<typeof spendLimitRefusal>>;

/** `error.circuit` of a 503: the circuit breaker that refused. */
export const circuitRefusal = z.object({
  /** Absent for callers without `api.providers.read`, like `provider_model`, the model's name there. */
  provider: z.optional(z.string()),
  provider_model: z.optional(z.string()),
  /** How many calls have failed in a row, and how many it takes to open the circuit. */
  failures: count,
  threshold: count,
  /** The time until the next call is let through as a trial. */
  retry_in_ms: z.number(),
});
export type CircuitRefusal = Readonly<z.output<typeof circuitRefusal>>;
