import { boolean, integer, json, nano, text, time } from "./columns";
import { table } from "./table";

export const paymentTables = [
  // At most one row: a payment above this amount waits for a second person.
  table("payment_approval", {
    one: integer.primaryKey().check("one = 1"),
    above: nano.nullable().check("above >= 0"),
    updated_at_ms: time,
    since_ms: time.nullable(),
  }),
  // Payments and corrections that wait, and changes of the approval amount. `corrects` is the corrected entry, and
  // `correction_reason` its reason; `reason` says why it was declined.
  table(
    "pending_payments",
    {
      id: text.primaryKey(),
      amount: nano,
      reference: text.nullable(),
      created_at_ms: time,
      maker_kind: text,
      maker_id: text,
      maker_name: text,
      status: text.check("status = 'pending' OR status = 'approved' OR status = 'declined'"),
      decided_at_ms: time.nullable(),
      decider_kind: text.nullable(),
      decider_id: text.nullable(),
      decider_name: text.nullable(),
      reason: text.nullable(),
      entry_id: text.nullable(),
      note: text.nullable(),
      corrects: text.nullable(),
      correction_reason: text.nullable().check("(corrects IS NULL) = (correction_reason IS NULL)"),
      sets_approval: boolean.default(0).check("sets_approval = 0 OR sets_approval = 1"),
      approval_above: nano.nullable().check("approval_above >= 0"),
    },
    {
      checks: [
        "CASE sets_approval WHEN 0 THEN amount > 0 AND approval_above IS NULL ELSE amount = 0 END",
        "(status = 'pending') = (decided_at_ms IS NULL)",
        "(status = 'approved' AND sets_approval = 0) = (entry_id IS NOT NULL)",
        "status <> 'approved' OR decider_id <> maker_id",
      ],
      indexes: { pending_payments_status: { on: "status, id" } },
    },
  ),
  // Amounts recorded without approval, which are added up for a day.
  table(
    "unapproved_payments",
    {
      id: text.primaryKey(),
      payer_id: text,
      amount: nano,
      created_at_ms: time,
    },
    {
      indexes: { unapproved_payments_payer: { on: "payer_id, created_at_ms" } },
    },
  ),
  // Closed months. A statement covers the entries after `after_seq` up to `last_seq`; `figures` is its text, and
  // `digest` the SHA-256 of that text in hexadecimal.
  table(
    "statements",
    {
      month: text.primaryKey().check("month LIKE '____-__' AND substr(month, 6) BETWEEN '01' AND '12'"),
      after_seq: integer.check("after_seq >= 0"),
      last_seq: integer.check("last_seq >= after_seq"),
      figures: json,
      digest: text.check("length(digest) = 64"),
      closed_at_ms: time,
      closer_kind: text,
      closer_id: text,
      closer_name: text,
    },
    {
      triggers: {
        statements_are_not_changed: { on: "BEFORE UPDATE", refuse: "a closed month is immutable" },
        statements_are_not_deleted: { on: "BEFORE DELETE", refuse: "a closed month is immutable" },
      },
    },
  ),
];
