import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, pageSchema, searchedOrderedPageQuery, unixSeconds } from "../../schema";

/** By what projects are sorted: the names of their figures. */
const projectOrders = [
  "name",
  "created_at",
  "spent_amount",
  "forecast_amount",
  "limit_amount",
  "limit_reached_at",
  "requests",
  "refusals",
  "keys",
  "last_used_at",
] as const;
export type ProjectOrder = (typeof projectOrders)[number];

const amount = z.nullable(decimal);
const count = z.nullable(z.int());
const time = z.nullable(unixSeconds);

/** A project with what its calendar month (UTC) came to so far. What the caller may not see of it is null. */
const projectSummary = z.object({
  object: z.literal("organization.project_summary"),
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "archived"]),
  created_at: unixSeconds,
  currency: z.string(),
  /** The charges of the month, without holds: what a spend limit counts. */
  spent_amount: amount,
  /** What the month comes to if its other days cost what a day of the last seven did, in whole cents. */
  forecast_amount: amount,
  /** The project's spend limit; null without one. */
  limit_amount: amount,
  /** When the charges of this month reach the limit at the same pace: now if they have; null if they don't. */
  limit_reached_at: time,
  /** The calls of the month that reached a provider, and those that a check refused. */
  requests: count,
  refusals: count,
  /** Its keys that still work. */
  keys: count,
  /** When one of its keys was last used, also one that was revoked since. */
  last_used_at: time,
});
export type ProjectSummary = z.output<typeof projectSummary>;

const listQuery = z.extend(searchedOrderedPageQuery, {
  status: z.optional(z.enum(["active", "archived", "all"])),
  order_by: z.optional(z.enum(projectOrders)),
});
export type ProjectSummaryQuery = z.output<typeof listQuery>;

export const projectSummaryOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    listProjectSummaries: {
      method: "GET",
      path: "/organization/project_summaries",
      scope: "any project",
      permission: "api.projects.read",
      summary:
        "Lists the projects you may see with what their month came to: charges, forecast, spend limit and the day that it is reached, calls, refusals and keys. Sorted by any of these with `order_by`; projects without the figure come last.",
      query: listQuery,
      reply: pageSchema(projectSummary),
    },
  },
);
