import { boolean, integer, json, nano, text, time } from "./columns";
import { table } from "./table";

const countChange = (row: "NEW" | "OLD") =>
  `INSERT INTO refusal_days (day_ms, changes) VALUES (${row}.minute_ms - ${row}.minute_ms % 86400000, 1)
    ON CONFLICT (day_ms) DO UPDATE SET changes = refusal_days.changes + 1;`;

export const requestTables = [
  // `facts` are the figures of the check that refused the call: receipts show recorded figures only.
  table(
    "uncharged_calls",
    {
      id: text.primaryKey(),
      at_ms: time,
      project_id: text,
      key_id: text,
      model: text,
      stream: boolean,
      outcome: text,
      status: integer,
      refused_by: text.nullable(),
      held: nano.nullable(),
      estimated_tokens: integer,
      first_byte_ms: integer.nullable(),
      duration_ms: integer.nullable(),
      facts: json.nullable(),
      provider: text.nullable(),
      trace: json.nullable(),
      batch_id: text.nullable(),
    },
    {
      withoutRowid: true,
      indexes: { uncharged_calls_of_batches: { on: "batch_id, id", where: "batch_id IS NOT NULL" } },
      triggers: {
        uncharged_calls_are_noted: {
          on: "AFTER INSERT",
          run: `INSERT INTO unsummed_calls (id) VALUES (NEW.id);`,
        },
      },
    },
  ),
  // Refusals counted per minute. The number of rows depends on the keys, models and reasons, not on how often callers
  // try.
  table(
    "refusal_counts",
    {
      minute_ms: time,
      project_id: text,
      key_id: text,
      model: text,
      refused_by: text,
      refusals: integer,
      estimated_tokens: integer,
    },
    {
      primaryKey: ["minute_ms", "project_id", "key_id", "model", "refused_by"],
      withoutRowid: true,
      triggers: {
        refusal_counts_inserted: { on: "AFTER INSERT", run: countChange("NEW") },
        refusal_counts_updated: { on: "AFTER UPDATE", run: countChange("NEW") },
        refusal_counts_deleted: { on: "AFTER DELETE", run: countChange("OLD") },
      },
    },
  ),
  // How often the counts of refusals of a day (UTC) were changed. While this number stays the same, so do they. A row
  // is never deleted, so that no number comes back.
  table("refusal_days", {
    day_ms: time.primaryKey(),
    changes: integer,
  }),
  // Requests refused for lack of a key, a session or a permission, counted per minute. Ids sort by time.
  table(
    "access_refusals",
    {
      id: text.primaryKey(),
      first_at_ms: time,
      last_at_ms: time,
      caller_kind: text.nullable(),
      caller_id: text.nullable(),
      caller_name: text.nullable(),
      operation: text.nullable(),
      project_id: text.nullable(),
      ip: text.nullable(),
      status: integer,
      code: text,
      refusals: integer,
      request_id: text,
    },
    {
      withoutRowid: true,
      indexes: { access_refusals_of_caller: { on: "caller_id, id" } },
    },
  ),
  // Each project's settings for stored request bodies, which are encrypted and deleted at the age that it sets.
  table("body_settings", {
    project_id: text.primaryKey().references("projects.id"),
    mode: text.check("mode IN ('off', 'metadata', 'whole')"),
    retention_days: integer.check("retention_days BETWEEN 1 AND 365"),
    redactions: json,
    set_at_ms: time,
  }),
  table(
    "request_bodies",
    {
      id: text.primaryKey(),
      project_id: text,
      at_ms: time,
      sealed_metadata: text,
      sealed_texts: text.nullable(),
    },
    {
      indexes: { request_bodies_by_project: { on: "project_id, at_ms" } },
    },
  ),
  table(
    "call_traces_end",
    {
      one: integer.primaryKey().check("one = 1"),
      id: text,
    },
    {
      rows: [{ one: 1, id: "" }],
    },
  ),
];

export const requestLogView = `SELECT request_id AS id, started_at_ms AS at_ms, project_id, key_id, model, stream, outcome, status,
    NULL AS refused_by, held, estimated_tokens, prompt_tokens, completion_tokens, first_byte_ms, duration_ms
  FROM ledger_entries WHERE kind = 'charge'
  UNION ALL
  SELECT id, at_ms, project_id, key_id, model, stream, outcome, status,
    refused_by, held, estimated_tokens, NULL, NULL, first_byte_ms, duration_ms
  FROM uncharged_calls`;
