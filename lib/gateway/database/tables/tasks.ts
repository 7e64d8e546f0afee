import { boolean, integer, json, text, time } from "./columns";
import { table } from "./table";

export const taskTables = [
  table(
    "tasks",
    {
      id: text.primaryKey(),
      request_id: text.unique(),
      project_id: text,
      key_id: text,
      model: text,
      family: text.check("family IN ('image', 'video', 'music')"),
      status: text.check("status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')"),
      input: text.nullable(),
      callback_url: text.nullable(),
      provider: text.nullable(),
      provider_model: text.nullable(),
      remote_id: text.nullable(),
      dispatched_at_ms: time.nullable(),
      is_state_unknown: boolean.default(0),
      failures: integer.default(0),
      progress: integer.nullable(),
      created_at_ms: time,
      started_at_ms: time.nullable(),
      ended_at_ms: time.nullable(),
      deadline_at_ms: time,
      due_at_ms: time.nullable(),
      claimed_by: text.nullable(),
      claimed_until_ms: time.nullable(),
      cancel_requested_at_ms: time.nullable(),
      error: text.nullable(),
      outputs: json.nullable(),
      outputs_deleted_at_ms: time.nullable(),
      callback_receiver: text.nullable(),
      settings: json.nullable(),
      trace: json.nullable(),
    },
    {
      checks: [
        "(ended_at_ms IS NULL) = (status IN ('queued', 'running'))",
        "(ended_at_ms IS NULL) = (due_at_ms IS NOT NULL)",
      ],
      withoutRowid: true,
      indexes: {
        tasks_due: { on: "due_at_ms", where: "due_at_ms IS NOT NULL" },
        tasks_by_project: { on: "project_id, id" },
        tasks_by_model: { on: "model, id" },
        tasks_by_status: { on: "status, id" },
        tasks_with_outputs: { on: "ended_at_ms", where: "outputs_deleted_at_ms IS NULL" },
        tasks_by_maker: { on: "key_id, id" },
      },
      triggers: {
        ended_tasks_stay_ended: {
          on: "BEFORE UPDATE OF status",
          when: "OLD.ended_at_ms IS NOT NULL",
          refuse: "a task that has ended stays as it is",
        },
      },
    },
  ),
  // `due_at_ms` is null once it is delivered or given up.
  table(
    "task_callbacks",
    {
      task_id: text.primaryKey(),
      receiver: text,
      url: text,
      status: text.check("status IN ('pending', 'delivered', 'exhausted')"),
      tries: integer,
      due_at_ms: time.nullable(),
      ended_at_ms: time.nullable(),
      claimed_by: text.nullable(),
      claimed_until_ms: time.nullable(),
    },
    {
      checks: ["(status = 'pending') = (due_at_ms IS NOT NULL)"],
      withoutRowid: true,
      indexes: {
        task_callbacks_due: { on: "due_at_ms", where: "status = 'pending'" },
        task_callbacks_over: { on: "ended_at_ms", where: "status <> 'pending'" },
      },
    },
  ),
  table(
    "task_callback_tries",
    {
      seq: integer.primaryKey(),
      task_id: text,
      at_ms: time,
      took_ms: integer,
      status: integer.nullable(),
      failure: text.nullable(),
    },
    {
      indexes: { task_callback_tries_by_task: { on: "task_id, seq" } },
    },
  ),
  // Each replaced secret signs for a day, even if its successor is replaced within that day.
  table(
    "callback_secrets",
    {
      project_id: text.primaryKey(),
      version: integer,
      rotated_at_ms: time,
      earlier_rotations_ms: json.default("[]"),
    },
    {
      withoutRowid: true,
    },
  ),
];
