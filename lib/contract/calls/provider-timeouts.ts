import * as z from "zod/mini";
import { MAX_REQUEST_MS, SECOND_MS } from "../durations";

const MAX_SECONDS = MAX_REQUEST_MS / SECOND_MS;

/** A time limit of requests to a provider. Fractions are allowed. */
export const limitSeconds = z
  .number("must be a number of seconds")
  .check(
    z.gt(0, "must be greater than 0"),
    z.lte(MAX_SECONDS, `must be at most ${MAX_SECONDS}: no request may take longer than an hour`),
  );

const timeout = z.optional(z.nullable(limitSeconds));

/** A provider's time limits. Those that are absent or null are the defaults. */
export const providerTimeouts = z.strictObject({
  /** Until the server accepts a connection; 5 by default. */
  connect_seconds: timeout,
  /** From the request to the last byte of an answer that isn't streamed, or to the first of speech; 600 by default. */
  whole_answer_seconds: timeout,
  /** From the request to the first event of a stream; 600 by default. */
  first_event_seconds: timeout,
  /** Between two events of a stream, or two pieces of another answer; 300 by default. */
  idle_seconds: timeout,
  /** From the request to its end, whatever was sent; 3600 by default. */
  total_seconds: timeout,
});
export type ProviderTimeouts = z.output<typeof providerTimeouts>;
