import { integer, json, nano, text, time } from "./columns";
import { table } from "./table";

/** Named sets of limits by model, and the projects that follow each. */
export const limitPlanTables = [
  table("limit_plans", { id: text.primaryKey(), name: text, created_at_ms: time }),
  table(
    "limit_plan_limits",
    { plan_id: text, model: text, limits: json, updated_at_ms: time },
    { primaryKey: ["plan_id", "model"] },
  ),
  table("limit_plan_projects", { project_id: text.primaryKey(), plan_id: text, updated_at_ms: time }),
];

/** Above which limits a second person has to approve, and the drafts that wait for one. */
export const limitApprovalTables = [
  table("rate_limit_bounds", { id: text.primaryKey(), bounds: json, since_ms: time.nullable() }),
  table(
    "rate_limit_drafts",
    {
      id: text.primaryKey(),
      created_at_ms: time,
      maker_kind: text,
      maker_id: text,
      maker_name: text,
      status: text,
      digest: text,
      changes: json,
      bounds: json.nullable(),
      decided_at_ms: time.nullable(),
      decider_kind: text.nullable(),
      decider_id: text.nullable(),
      decider_name: text.nullable(),
      reason: text.nullable(),
    },
    {
      indexes: {
        rate_limit_drafts_by_digest: { on: "maker_id, digest, id" },
        rate_limit_drafts_by_status: { on: "status, id" },
      },
    },
  ),
];

export const limitTables = [
  table(
    "rate_limits",
    {
      project_id: text.references("projects.id"),
      model: text,
      max_requests_per_1_minute: integer.check("max_requests_per_1_minute >= 0"),
      max_tokens_per_1_minute: integer.check("max_tokens_per_1_minute >= 0"),
      max_images_per_1_minute: integer.nullable().check("max_images_per_1_minute >= 0"),
      max_audio_megabytes_per_1_minute: integer.nullable().check("max_audio_megabytes_per_1_minute >= 0"),
      max_requests_per_1_day: integer.nullable().check("max_requests_per_1_day >= 0"),
      batch_1_day_max_input_tokens: integer.nullable().check("batch_1_day_max_input_tokens >= 0"),
      updated_at_ms: time,
    },
    {
      primaryKey: ["project_id", "model"],
    },
  ),
  // The peak use of each limit and the number of its refusals, by hour and day. Peaks are sampled; refusals are summed
  // up to the minute in `limit_uses_end`.
  table(
    "limit_uses",
    {
      project_id: text,
      width_ms: integer,
      start_ms: time,
      model: text,
      field: text,
      peak: integer,
      refusals: integer,
    },
    {
      primaryKey: ["project_id", "width_ms", "start_ms", "model", "field"],
      withoutRowid: true,
    },
  ),
  table(
    "limit_uses_end",
    {
      one: integer.primaryKey().check("one = 1"),
      minute_ms: time,
    },
    {
      rows: [{ one: 1, minute_ms: 0 }],
    },
  ),
  // The media in calls of the last minute, for the limits on media after a restart.
  table(
    "carried_media",
    {
      request_id: text.primaryKey(),
      project_id: text,
      model: text,
      at_ms: time,
      images: integer,
      audio_megabytes: integer,
    },
    {
      indexes: { carried_media_by_time: { on: "at_ms" } },
    },
  ),
  // `scope` is a project's id, or `organization`; so it is for alerts.
  table("spend_limits", {
    scope: text.primaryKey(),
    amount: nano.check("amount >= 0"),
    updated_at_ms: time,
  }),
  table("spend_alerts", {
    id: text.primaryKey(),
    scope: text,
    threshold_cents: integer.check("threshold_cents > 0"),
    recipients: json,
    subject_prefix: text.nullable(),
    created_at_ms: time,
  }),
  // `scope` and `spent` are those of the time of firing.
  table(
    "spend_alert_firings",
    {
      id: text.primaryKey(),
      alert_id: text.references("spend_alerts.id", "cascade"),
      scope: text,
      threshold_cents: integer,
      spent: nano,
      month_start_ms: time,
      fired_at_ms: time,
    },
    {
      unique: [["alert_id", "threshold_cents", "month_start_ms"]],
      indexes: {
        spend_alert_firings_by_scope: { on: "scope, id" },
        spend_alert_firings_by_month: { on: "month_start_ms, id" },
        spend_alert_firings_by_both: { on: "scope, month_start_ms, id" },
      },
    },
  ),
  // `claimed_by` is the process that delivers it, until another one may take it over.
  table(
    "alert_deliveries",
    {
      id: text.primaryKey(),
      body: text,
      status: text.check("status IN ('pending', 'delivered', 'exhausted')"),
      tries: integer,
      tried_at_ms: time.nullable(),
      due_at_ms: time.nullable(),
      failure: text.nullable(),
      claimed_by: text.nullable(),
      claimed_until_ms: time.nullable(),
    },
    {
      checks: ["(status = 'pending') = (due_at_ms IS NOT NULL)"],
      indexes: { alert_deliveries_due: { on: "due_at_ms", where: "status = 'pending'" } },
    },
  ),
];
