import * as z from "zod/mini";
import { mapLimits, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";

const count = z.optional(z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)));
const segment = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(200),
  z.refine((text) => text !== "." && text !== "..", { message: "must be an id" }),
);

/** The two path segments and the limits of `saveRateLimit`. Empty fields aren't sent. */
export const typedRateLimit = z
  .object({
    project_id: segment,
    rate_limit_id: segment,
    ...mapLimits(() => count),
  })
  .check(
    z.refine((typed) => rateLimitFields.some((name) => typed[name] !== undefined), {
      message: "Enter at least one of the limits.",
      path: ["max_requests_per_1_minute"],
    }),
  );
export type TypedRateLimit = z.output<typeof typedRateLimit>;
