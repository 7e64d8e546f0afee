import { otherEvents } from "@/lib/contract/access/audit-events";
import { integer, json, text, time } from "./columns";
import { table } from "./table";

export const changeTables = [
  table(
    "audit_logs",
    {
      seq: integer.primaryKey().check("seq > 0"),
      id: text.unique(),
      at_ms: time,
      type: text,
      project_id: text.nullable(),
      request_id: text.nullable(),
      actor_kind: text.nullable(),
      actor_id: text.nullable(),
      actor_key_id: text.nullable(),
      actor_user_id: text.nullable(),
      actor_email: text.nullable(),
      actor_ip: text.nullable(),
      changes: json,
      hash: text,
    },
    {
      indexes: { audit_logs_by_request: { on: "request_id" } },
      triggers: {
        audit_logs_are_not_changed: { on: "BEFORE UPDATE", refuse: "audit events are immutable" },
        audit_logs_only_grow: {
          on: "BEFORE INSERT",
          when: "NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit_logs)",
          refuse: "audit events are written at the end",
        },
        // Old events may be deleted once an event in the log records the cut and the hash of the last deleted event.
        audit_logs_are_not_deleted: {
          on: "BEFORE DELETE",
          when: `OLD.seq > coalesce((SELECT json_extract(changes, '$[0].after.length') FROM audit_logs
      WHERE type = '${otherEvents.auditCut}' ORDER BY seq DESC LIMIT 1), 0)`,
          refuse: "audit events are immutable",
        },
      },
    },
  ),
  // The changes of the running transaction. They refer to event 0, which doesn't exist, so a commit fails until an
  // event has taken them in.
  table("audit_pending", {
    seq: integer.primaryKey(),
    object: text,
    id: text,
    subject_id: text.nullable(),
    project_id: text.nullable(),
    before: json.nullable(),
    after: json.nullable(),
    event: integer.default(0).check("event = 0").references("audit_logs.seq", "deferred"),
  }),
  // A key with a `request_id` belongs to a call. Its reply is stored with the call's charge, if at all.
  table(
    "idempotency_keys",
    {
      scope: text,
      key: text,
      body_hash: text,
      reply: text.nullable(),
      created_at_ms: time,
      request_id: text.nullable(),
    },
    {
      primaryKey: ["scope", "key"],
      indexes: { idempotency_keys_by_age: { on: "created_at_ms" } },
    },
  ),
  // The gateway that writes to this store. A gateway that finds another id here has been replaced.
  table("store_owner", {
    one: integer.primaryKey().check("one = 1"),
    id: text,
  }),
];
