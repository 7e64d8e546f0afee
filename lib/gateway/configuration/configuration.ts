import * as z from "zod/mini";
import { findPriceFault, lacksOutputPrice } from "@/lib/contract/calls/find-price-fault";
import { hostedKinds } from "@/lib/contract/calls/provider-protocols";
import { limitSeconds, providerTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { taskApi } from "@/lib/contract/calls/task-api";
import { modelDraft } from "@/lib/contract/operations/models/models";
import { baseUrl, providerDraft } from "@/lib/contract/operations/models/providers";
import { rateLimitValues } from "@/lib/contract/operations/models/rate-limits";
import { description } from "@/lib/contract/schema";
import { declaredObjects } from "./declared-objects";

const rateLimits = z.partial(z.strictObject(rateLimitValues.shape));

/** A model without a price is listed, but answers no call until a price is set. */
const configuredModel = z
  .extend(modelDraft, {
    description: z.optional(description),
    /** The model's own default limits in every project. */
    rate_limits: z.optional(rateLimits),
  })
  .check(
    ({ value, issues }) => {
      const fault = findPriceFault(value);
      if (!fault) return;
      issues.push({ code: "custom", input: value, path: fault.field.split("."), message: fault.message });
    },
    // The check above is left out where there are other faults.
    z.refine(({ family, price }) => !lacksOutputPrice(family, price), {
      path: ["price", "output_per_1m"],
      message: "is required",
      when: ({ issues }) => issues.length > 0,
    }),
  );

const configuredKinds = [...hostedKinds, "http"].map((kind) => JSON.stringify(kind)).join(" or ");

/** The maximum number of connections that the gateway's process can open. */
const MAX_CONNECTIONS = 65_535;

/** The maximum number of consecutive failures that can be configured for a circuit breaker. */
const MOST_FAILURES = 1_000;

function wholeNumberBetween(min: number, max: number) {
  return z
    .int("must be a whole number")
    .check(z.gte(min, `must be at least ${min}`), z.lte(max, `must be at most ${max}`));
}

const hostedProvider = z.safeExtend(providerDraft, {
  timeouts: z.optional(providerTimeouts),
  max_concurrent_requests: z.optional(
    z
      .int("must be a whole number")
      .check(z.gte(1, "must be at least 1"), z.lte(MAX_CONNECTIONS, `must be at most ${MAX_CONNECTIONS}`)),
  ),
  /** Settings of the circuit breakers of its models; `false` turns them off. */
  circuit: z.optional(
    z.union(
      [
        z.literal(false),
        z.strictObject({
          failures: z.optional(wholeNumberBetween(1, MOST_FAILURES)),
          pause_seconds: z.optional(limitSeconds),
        }),
      ],
      "must be false, or an object with failures and pause_seconds",
    ),
  ),
});

/**
 * A server whose task API is mapped here. Its requests are few and bounded, so it has none of the settings of calls.
 */
const mappedProvider = z.strictObject({
  id: providerDraft.shape.id,
  kind: z.literal("http"),
  base_url: baseUrl,
  api_key: providerDraft.shape.api_key,
  api_keys: z.optional(z.undefined("takes one key, as api_key")),
  task_api: taskApi,
});

const configuredProvider = z
  .discriminatedUnion("kind", [hostedProvider, mappedProvider], {
    error: ({ code }) => (code === "invalid_union" ? `must be ${configuredKinds}` : undefined),
  })
  .check(({ value, issues }) => {
    if (value.kind !== "http" || !value.task_api.authentication || value.api_key) return;
    const path = ["task_api", "authentication"];
    issues.push({ code: "custom", input: value, path, message: "needs a key to send: add api_key" });
  });

const accessKey = z
  .string()
  .check(z.minLength(1), z.regex(/^[!-~]*$/, "must be printable characters without spaces"));

/** A hundred years. */
const MAX_DAYS = 36_500;

/** Where the files that tasks make are stored, instead of in the data folder. */
const outputs = z.strictObject({
  store: z
    .string()
    .check(
      z.regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[A-Za-z0-9!_.*'()-]+)*$/,
        "must be a bucket and a prefix such as s3://bucket/prefix, with letters, digits and !_.*'()-",
      ),
      z.maxLength(300),
    ),
  /** By default Amazon's endpoint for the region. */
  endpoint: z.optional(
    z
      .string()
      .check(
        z.refine(isOrigin, { message: "must be an address without a path such as http://127.0.0.1:9000" }),
      ),
  ),
  region: z.optional(z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, "must be a region such as eu-central-1"))),
  access_key_id: accessKey,
  secret_access_key: accessKey,
  /** The token of a temporary key. */
  session_token: z.optional(accessKey),
});

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
}

/**
 * The configuration file. Providers and models that it defines at start can't be removed in the console; what else is
 * planned and applied.
 */
export const configurationFile = z.strictObject({
  providers: z.optional(z.array(configuredProvider)),
  models: z.optional(z.array(configuredModel)),
  /** Default limits of models that define none of their own. */
  defaults: z.optional(z.strictObject({ rate_limits: z.optional(rateLimits) })),
  /** How long stored data is kept; null: forever. */
  retention: z.optional(
    z.strictObject({
      request_log_days: z.optional(z.nullable(wholeNumberBetween(2, MAX_DAYS))),
      refusal_count_days: z.optional(z.nullable(wholeNumberBetween(1, MAX_DAYS))),
      audit_log_days: z.optional(z.nullable(wholeNumberBetween(1, MAX_DAYS))),
      kept_reply_hours: z.optional(wholeNumberBetween(0, 24)),
      callback_days: z.optional(z.nullable(wholeNumberBetween(1, MAX_DAYS))),
      task_output_days: z.optional(z.nullable(wholeNumberBetween(1, MAX_DAYS))),
      file_days: z.optional(z.nullable(wholeNumberBetween(1, MAX_DAYS))),
    }),
  ),
  outputs: z.optional(outputs),
  ...declaredObjects,
});

export type ConfigurationFile = z.output<typeof configurationFile>;

/** The configuration file's content, checked. */
export interface Configuration {
  readonly providers: NonNullable<ConfigurationFile["providers"]>;
  readonly models: NonNullable<ConfigurationFile["models"]>;
  /** Default limits of models that define none of their own. */
  readonly defaults: z.output<typeof rateLimits>;
  readonly retention: NonNullable<ConfigurationFile["retention"]>;
  readonly outputs?: ConfigurationFile["outputs"];
}

/** The configuration of a gateway without a file. */
export const emptyConfiguration: Configuration = { providers: [], models: [], defaults: {}, retention: {} };

/** The built-in provider and its models. The file may route to the provider, and may redefine neither. */
export interface BuiltIn {
  readonly provider: string;
  readonly models: readonly string[];
}
