import { integer, json, nano, text, time } from "./columns";
import { table } from "./table";

export const fileTables = [
  // A row without `stored_at_ms` is an upload in progress. `key_id` is the key or member that uploaded it.
  table(
    "files",
    {
      id: text.primaryKey(),
      project_id: text,
      purpose: text.check("purpose IN ('batch', 'batch_output', 'user_data')"),
      filename: text,
      bytes: integer.check("bytes >= 0"),
      created_at_ms: time,
      stored_at_ms: time.nullable(),
      expires_at_ms: time.nullable(),
      key_id: text.nullable(),
    },
    {
      withoutRowid: true,
      indexes: {
        files_by_project: { on: "project_id, id" },
        files_by_purpose: { on: "purpose, id" },
        files_by_expiry: { on: "expires_at_ms", where: "expires_at_ms IS NOT NULL" },
        files_on_their_way: { on: "created_at_ms", where: "stored_at_ms IS NULL" },
      },
    },
  ),
  // `charged` is the sum of its charges, `pace` how fast its lines are answered.
  table(
    "batches",
    {
      id: text.primaryKey(),
      project_id: text,
      key_id: text,
      endpoint: text,
      model: text,
      metadata: json.nullable(),
      input_file_id: text,
      input_bytes: integer,
      output_file_id: text,
      error_file_id: text,
      status: text.check("status IN ('in_progress', 'cancelling', 'completed', 'expired', 'cancelled')"),
      total: integer,
      completed: integer.default(0),
      failed: integer.default(0),
      input_tokens: integer.default(0),
      cached_tokens: integer.default(0),
      output_tokens: integer.default(0),
      counted_tokens: integer,
      read_bytes: integer.default(0),
      read_lines: integer.default(0),
      output_bytes: integer.default(0),
      error_bytes: integer.default(0),
      output_expires_after_ms: integer.nullable(),
      created_at_ms: time,
      expires_at_ms: time,
      cancel_requested_at_ms: time.nullable(),
      ended_at_ms: time.nullable(),
      claimed_by: text.nullable(),
      claimed_until_ms: time.nullable(),
      charged: nano.nullable().check("charged >= 0"),
      pace: json.nullable(),
    },
    {
      checks: [
        "(ended_at_ms IS NULL) = (status IN ('in_progress', 'cancelling'))",
        "completed + failed <= total",
      ],
      withoutRowid: true,
      indexes: {
        batches_by_project: { on: "project_id, id" },
        batches_under_way: { on: "created_at_ms", where: "ended_at_ms IS NULL" },
        batches_by_time: { on: "created_at_ms" },
      },
      triggers: {
        ended_batches_stay_ended: {
          on: "BEFORE UPDATE OF status",
          when: "OLD.ended_at_ms IS NOT NULL",
          refuse: "a batch that has ended stays as it is",
        },
      },
    },
  ),
];
