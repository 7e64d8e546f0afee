import { json, text, time } from "./columns";
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
