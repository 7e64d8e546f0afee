import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, queryFlag, unixSeconds } from "../../schema";

const check = z.object({
  /** The invariant's number in their list, such as I1. */
  id: z.string(),
  title: z.string(),
  /** What was checked, in words. */
  looked: z.string(),
  /** One sentence per fault with the ids it concerns; empty if there is none. */
  faults: z.array(z.string()),
});
export type ReconciliationCheck = z.output<typeof check>;

const reconciliation = z.object({
  object: z.literal("reconciliation"),
  /** While it is `running`, `checks` is empty: ask again until it is `done`. */
  state: z.enum(["running", "done"]),
  started_at: unixSeconds,
  took_ms: z.nullable(z.int()),
  currency: z.string(),
  /** The number of ledger entries, and of those that are verified. */
  entries: z.int(),
  verified_entries: z.int(),
  /** The entries that an earlier proof had verified; this one started after them. */
  verified_before: z.int(),
  checks: z.array(check),
  /** The charges by the basis of their usage: reported by the provider, or counted by the gateway. */
  charged: z.array(
    z.object({
      basis: z.enum(["reported", "estimated", "interrupted"]),
      calls: z.int(),
      amount: decimal,
    }),
  ),
  /** What providers reported beyond the holds. No customer is charged for it. */
  provider_variance: z.nullable(decimal),
});
export type Reconciliation = z.output<typeof reconciliation>;

export const reconciliationOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.ledger.read" },
  {
    retrieveReconciliation: {
      method: "GET",
      path: "/organization/reconciliation",
      summary:
        "Proves the books: that entries add up to the balance, every charge is its usage at its price, and no hold is orphaned. It begins where the last proof ended, or with `full` at the first entry.",
      query: z.strictObject({ full: z.optional(queryFlag) }),
      reply: reconciliation,
    },
  },
);
