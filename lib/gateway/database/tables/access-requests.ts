import { integer, json, text, time } from "./columns";
import { table } from "./table";

const columns = {
  id: text.primaryKey(),
  kind: text.check("kind = 'rate_limits' OR kind = 'permission'"),
  project_id: text.nullable(),
  model: text.nullable(),
  limits: json.nullable(),
  limits_before: json.nullable(),
  permission: text.nullable(),
  reason: text.nullable(),
  request_id: text.nullable(),
  created_at_ms: time,
  maker_id: text,
  maker_name: text,
  status: text.check("status = 'pending' OR status = 'approved' OR status = 'declined'"),
  decided_at_ms: time.nullable(),
  decider_kind: text.nullable(),
  decider_id: text.nullable(),
  decider_name: text.nullable(),
  decline_reason: text.nullable(),
  given_role: json.nullable(),
  ends_at_ms: time.nullable(),
  ended_at_ms: time.nullable(),
  left_alone: json.nullable(),
};
const options = {
  checks: [
    "CASE kind WHEN 'permission' THEN permission IS NOT NULL ELSE model IS NOT NULL AND project_id IS NOT NULL END",
    "(status = 'pending') = (decided_at_ms IS NULL)",
    "status = 'approved' OR ends_at_ms IS NULL",
    "ends_at_ms IS NOT NULL OR ended_at_ms IS NULL",
  ],
  indexes: {
    access_requests_maker: { on: "maker_id, status, id" },
    access_requests_status: { on: "status, id" },
  },
};

/** Requests for higher limits or a permission. */
export const firstAccessRequests = table("access_requests", columns, options);

const kinds = ["rate_limits", "spend_limit", "model", "permission"];
const isWhole = `CASE kind WHEN 'permission' THEN permission IS NOT NULL
  WHEN 'spend_limit' THEN threshold_cents IS NOT NULL
  ELSE model IS NOT NULL AND project_id IS NOT NULL END`;

/** The same table, also for a higher spend limit and for a model that a project may not call. */
export const accessRequestsOfMoreKinds = table(
  "access_requests",
  {
    ...columns,
    kind: text.check(kinds.map((kind) => `kind = '${kind}'`).join(" OR ")),
    threshold_cents: integer.nullable(),
    threshold_cents_before: integer.nullable(),
    given_access: json.nullable(),
  },
  { ...options, checks: [isWhole, ...options.checks.slice(1)] },
);
