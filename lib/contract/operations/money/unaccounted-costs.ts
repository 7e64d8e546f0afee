import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal } from "../../schema";

const unaccountedCost = z.object({
  provider: z.string(),
  /** The model's name at the provider. */
  provider_model: z.string(),
  /** The model that was called. */
  model: z.string(),
  attempts: z.int(),
  prompt_tokens: z.int(),
  /**
   * At the route's price or else list price, for an output of the expected length: the provider may bill more, less or
   * nothing.
   */
  amount: decimal,
});

const unaccountedCosts = z.object({
  object: z.literal("organization.unaccounted_costs"),
  /** The calendar month in UTC. */
  month: z.string(),
  currency: z.string(),
  data: z.array(unaccountedCost),
});
export type UnaccountedCosts = z.output<typeof unaccountedCosts>;

export const unaccountedCostOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.ledger.read" },
  {
    retrieveUnaccountedCosts: {
      method: "GET",
      path: "/organization/unaccounted_costs",
      summary:
        "Sums what providers may bill for attempts of a month that failed before an answer, and for which nobody was charged.",
      query: z.strictObject({
        month: z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11")),
      }),
      reply: unaccountedCosts,
    },
  },
);
