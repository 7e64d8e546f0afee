import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { queryFlag, unixSeconds } from "../../schema";

const milliseconds = z.nullable(z.int());

/** A provider's last failure since the gateway's start. */
const lastFailure = z.object({
  /** The model's name at the provider. */
  model: z.string(),
  at: unixSeconds,
  /** The provider's status; null if it sent none. */
  status: z.nullable(z.int()),
  /** A sentence with the cause and its correction. */
  cause: z.string(),
});

const modelHealth = z.object({
  id: z.string(),
  /** The providers of its routes, in the order in which they are tried. */
  providers: z.array(z.string()),
  /** Calls that reached a provider, and those that it failed. */
  calls: z.int(),
  errors: z.int(),
  /** Median and 95th percentile of the time to the first byte of completed calls, to a precision of a sixteenth. */
  first_byte_p50_ms: milliseconds,
  first_byte_p95_ms: milliseconds,
  /** The speed of completed calls from the first byte to the last. */
  tokens_per_second: z.nullable(z.int()),
});
export type ModelHealth = z.output<typeof modelHealth>;

/** An open circuit breaker, which lets only one trial call at a time reach the provider. */
const openCircuit = z.object({
  /** The model's name at the provider. */
  model: z.string(),
  /** Number of consecutive failures, and the number that opens the circuit. */
  failures: z.int(),
  threshold: z.int(),
  since: unixSeconds,
  /** When the next call may pass as a trial; null if it may pass now. */
  next_try_at: z.nullable(unixSeconds),
  /** Whether a trial is under way. */
  is_trying: z.boolean(),
  /** Why the last call failed, and how to correct it. */
  cause: z.string(),
});
export type OpenCircuit = z.output<typeof openCircuit>;

const providerHealth = z.object({
  id: z.string(),
  /** Its calls in progress in this process, and their maximum; null for no maximum. */
  calls_under_way: z.int(),
  max_calls_under_way: z.nullable(z.int()),
  last_failure: z.nullable(lastFailure),
  /** The open circuits of the process that answers this request. */
  open_circuits: z.array(openCircuit),
});
export type ProviderHealth = z.output<typeof providerHealth>;

const health = z.object({
  object: z.literal("organization.health"),
  /** When counting began. */
  start_time: unixSeconds,
  models: z.array(modelHealth),
  providers: z.array(providerHealth),
});
export type Health = z.output<typeof health>;

const healthQuery = z.strictObject({
  /**
   * `true` selects the models that failed at least 5 % of their calls, once there were 20 calls or 5 failures, and the
   * providers with an open circuit.
   */
  failing: z.optional(queryFlag),
});

const circuitClosing = z.strictObject({
  /** The model's name at the provider. */
  model: z.string().check(z.minLength(1)),
});

const circuitClosed = z.object({
  object: z.literal("organization.provider.circuit.closed"),
  id: z.string(),
  model: z.string(),
  closed: z.literal(true),
});

export const healthOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    retrieveHealth: {
      method: "GET",
      path: "/organization/health",
      permission: "api.providers.read",
      summary:
        "Tells of each model its calls, errors and speed in the last 24 hours, and of each provider its calls under way, its last failure and its open circuits.",
      query: healthQuery,
      reply: health,
    },
    closeCircuit: {
      method: "POST",
      effect: "acts",
      path: "/organization/providers/{provider_id}/circuits/close",
      permission: "api.providers.write",
      summary:
        "Closes the circuit breaker of one of a provider's models in every process, so that calls are sent again at once.",
      body: circuitClosing,
      reply: circuitClosed,
    },
  },
);
