import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { emailAddress, orderedPageQuery, pageSchema, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";

export const notificationChannel = z.strictObject({
  type: z.literal("email"),
  recipients: z.array(emailAddress).check(z.minLength(1, "must name somebody"), z.maxLength(100)),
  subject_prefix: z.optional(z.nullable(z.string().check(z.maxLength(100), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)))),
});

const shape = {
  currency: z.string(),
  interval: z.literal("month"),
  /** Cents of the organization's currency. */
  threshold_amount: z.int().check(z.minimum(1), z.maximum(900_000_000_000)),
  notification_channel: notificationChannel,
};

/** A threshold of what calls cost in a calendar month (UTC), after OpenAI's `spend_alert`. */
const alert = z.object({
  ...shape,
  id: z.string(),
  /** When this threshold was last reached, at most once a month. Null if it never was. */
  last_fired_at: markUnversioned(z.nullable(unixSeconds)),
});
const organizationSpendAlert = withVersion(
  z.extend(alert, { object: z.literal("organization.spend_alert") }),
);
const projectSpendAlert = withVersion(z.extend(alert, { object: z.literal("project.spend_alert") }));
export type SpendAlert = z.output<typeof alert>;

export const spendAlertDraft = z.strictObject(shape);
export type SpendAlertDraft = z.output<typeof spendAlertDraft>;

const deletedAlert = { id: z.string(), deleted: z.literal(true) };
const organizationPath = "/organization/spend_alerts";
const projectPath = "/organization/projects/{project_id}/spend_alerts";

export const spendAlertOperations = {
  ...defineOperations(
    { surface: "v1 and origin", scope: "organization" },
    {
      listSpendAlerts: {
        method: "GET",
        path: organizationPath,
        permission: "api.spend_alerts.read",
        summary: "Lists the alerts on what all calls cost in a calendar month, oldest first.",
        query: orderedPageQuery,
        reply: pageSchema(organizationSpendAlert),
      },
      createSpendAlert: {
        method: "POST",
        effect: "creates",
        path: organizationPath,
        permission: "api.spend_alerts.write",
        summary: "Sets an alert on what all calls cost in a calendar month. It fires once a month.",
        body: spendAlertDraft,
        reply: organizationSpendAlert,
      },
      retrieveSpendAlert: {
        method: "GET",
        path: `${organizationPath}/{alert_id}`,
        permission: "api.spend_alerts.read",
        summary: "Returns one alert of the organization, and when it last fired.",
        reply: organizationSpendAlert,
      },
      changeSpendAlert: {
        method: "POST",
        effect: "edits",
        path: `${organizationPath}/{alert_id}`,
        permission: "api.spend_alerts.write",
        summary: "Replaces an alert of the organization. Another threshold can fire in the same month.",
        body: spendAlertDraft,
        reply: organizationSpendAlert,
      },
      deleteSpendAlert: {
        method: "DELETE",
        effect: "deletes",
        path: `${organizationPath}/{alert_id}`,
        permission: "api.spend_alerts.write",
        summary: "Removes an alert of the organization.",
        reply: z.object({ object: z.literal("organization.spend_alert.deleted"), ...deletedAlert }),
      },
    },
  ),
  ...defineOperations(
    { surface: "v1 and origin", scope: "project" },
    {
      listProjectSpendAlerts: {
        method: "GET",
        path: projectPath,
        permission: "api.spend_alerts.read",
        summary: "Lists the alerts on what a project's calls cost in a calendar month, oldest first.",
        query: orderedPageQuery,
        reply: pageSchema(projectSpendAlert),
      },
      createProjectSpendAlert: {
        method: "POST",
        effect: "creates",
        path: projectPath,
        permission: "api.spend_alerts.write",
        summary: "Sets an alert on what a project's calls cost in a calendar month. It fires once a month.",
        body: spendAlertDraft,
        reply: projectSpendAlert,
      },
      retrieveProjectSpendAlert: {
        method: "GET",
        path: `${projectPath}/{alert_id}`,
        permission: "api.spend_alerts.read",
        summary: "Returns one alert of a project, and when it last fired.",
        reply: projectSpendAlert,
      },
      changeProjectSpendAlert: {
        method: "POST",
        effect: "edits",
        path: `${projectPath}/{alert_id}`,
        permission: "api.spend_alerts.write",
        summary: "Replaces an alert of a project. Another threshold can fire in the same month.",
        body: spendAlertDraft,
        reply: projectSpendAlert,
      },
      deleteProjectSpendAlert: {
        method: "DELETE",
        effect: "deletes",
        path: `${projectPath}/{alert_id}`,
        permission: "api.spend_alerts.write",
        summary: "Removes an alert of a project.",
        reply: z.object({ object: z.literal("project.spend_alert.deleted"), ...deletedAlert }),
      },
    },
  ),
};
