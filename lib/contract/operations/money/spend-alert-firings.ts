import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, orderedPageQuery, pageSchema, unixSeconds } from "../../schema";
import { notificationChannel } from "./spend-alerts";

/** One time that a month's calls reached an alert's threshold. Amounts are in the organization's currency. */
const firing = z.object({
  object: z.literal("spend_alert.firing"),
  id: z.string(),
  alert_id: z.string(),
  /** Null if the alert is on what all calls cost. */
  project_id: z.nullable(z.string()),
  interval: z.literal("month"),
  /** The calendar month (UTC), such as 2027-01. */
  month: z.string(),
  threshold: decimal,
  /** What the month had cost with the charge that reached the threshold. */
  spent: decimal,
  currency: z.string(),
  fired_at: unixSeconds,
});

/** The state of its callback; null if no callback address is configured. */
const callback = z.nullable(
  z.object({
    /** `exhausted` was tried ten times over 75 hours and is not tried again. */
    status: z.enum(["pending", "delivered", "exhausted"]),
    tries: z.int(),
    last_tried_at: z.nullable(unixSeconds),
    next_try_at: z.nullable(unixSeconds),
    last_failure: z.nullable(z.string()),
  }),
);

const listedFiring = z.extend(firing, { callback });
export type SpendAlertFiring = z.output<typeof listedFiring>;

/** The body of the callback that tells it; `timestamp` is RFC 3339. */
export const spendAlertFiredMessage = z.object({
  type: z.literal("spend_alert.fired"),
  timestamp: z.iso.datetime(),
  data: z.extend(firing, { notification_channel: notificationChannel }),
});
export type SpendAlertFiredMessage = z.output<typeof spendAlertFiredMessage>;

const spendAlertFiringsQuery = z.extend(orderedPageQuery, {
  month: z.optional(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2027-01"))),
});
export type SpendAlertFiringsQuery = z.output<typeof spendAlertFiringsQuery>;

export const spendAlertFiringOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    listSpendAlertFirings: {
      method: "GET",
      path: "/organization/spend_alert_firings",
      scope: "organization",
      permission: "api.spend_alerts.read",
      summary:
        "Lists when alerts fired, the organization's and every project's, oldest first, and whether the callback that tells it has arrived.",
      query: spendAlertFiringsQuery,
      reply: pageSchema(listedFiring),
    },
    listProjectSpendAlertFirings: {
      method: "GET",
      path: "/organization/projects/{project_id}/spend_alert_firings",
      scope: "project",
      permission: "api.spend_alerts.read",
      summary: "Lists when a project's own alerts fired, oldest first.",
      query: spendAlertFiringsQuery,
      reply: pageSchema(listedFiring),
    },
    sendSpendAlertFiring: {
      method: "POST",
      effect: "acts",
      path: "/organization/spend_alert_firings/{firing_id}/send",
      scope: "organization",
      permission: "api.spend_alerts.write",
      summary: "Has a firing told once more, under the same `webhook-id` and from the first try on.",
      reply: listedFiring,
    },
  },
);
