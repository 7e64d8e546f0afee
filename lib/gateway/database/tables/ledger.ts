import { blob, boolean, integer, json, nano, text, time } from "./columns";
import { table } from "./table";

/** The columns that never change. Others do: a trace is deleted after its retention, and the balance is set once. */
const FIXED = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens, unit, units, unit_price, note, corrects, reason`;

export const ledgerTables = [
  // `held` is the sum of the open holds, which never exceeds the balance.
  table(
    "accounts",
    {
      name: text.primaryKey(),
      balance: nano,
      held: nano.default(0).check("held = 0 OR (name = 'balance' AND held > 0 AND held <= balance)"),
    },
    {
      checks: ["name <> 'balance' OR balance >= 0"],
      rows: [
        { name: "payments", balance: 0, held: 0 },
        { name: "balance", balance: 0, held: 0 },
        { name: "charges", balance: 0, held: 0 },
        { name: "provider_variance", balance: 0, held: 0 },
      ],
    },
  ),
  // A process may hold money and claim due work while it has a row here. The process that takes over its holds deletes
  // the row.
  table(
    "leases",
    {
      owner: text.primaryKey(),
      ends_at_ms: time,
    },
    {
      withoutRowid: true,
    },
  ),
  // Open holds only: a resolved hold is deleted, and its charge or its free call takes its place. `stream`, `provider`
  // and `trace` are what a receipt shows of a call in progress. `units` are millionths of a unit.
  table(
    "holds",
    {
      id: text.primaryKey(),
      owner: text.references("leases.owner"),
      request_id: text,
      state: text.check("state IN ('created', 'dispatched')"),
      amount: nano.check("amount >= 0"),
      project_id: text,
      key_id: text,
      model: text,
      prompt_tokens: integer,
      max_completion_tokens: integer,
      input_per_1m: nano,
      output_per_1m: nano,
      rate: nano,
      created_at_ms: time,
      deadline_at_ms: time,
      checkpoint_completion_tokens: integer.default(0),
      task_id: text.nullable(),
      unit: text.nullable(),
      units: integer.nullable(),
      unit_price: nano.nullable(),
      stream: boolean.nullable(),
      provider: text.nullable(),
      trace: json.nullable(),
      batch_id: text.nullable(),
      audio: json.nullable(),
    },
    {
      withoutRowid: true,
      indexes: { holds_by_task: { on: "task_id", where: "task_id IS NOT NULL" } },
    },
  ),
  // A charge contains its call. Its id is the request's with another prefix, so no call is charged twice. A correction
  // names its entry in `corrects`; it has the `request_id` of a charge, or none of a payment, which determines its
  // accounts. The checks compare values one by one, since SQLite would build a table for an IN list at each insert.
  table(
    "ledger_entries",
    {
      seq: integer.primaryKey(),
      id: text.unique(),
      kind: text,
      amount: nano,
      from_account: text.generatedAs(`CASE kind WHEN 'charge' THEN 'balance' WHEN 'payment' THEN 'payments'
          WHEN 'correction' THEN CASE WHEN request_id IS NULL THEN 'balance' ELSE 'charges' END ELSE kind END`),
      to_account: text.generatedAs(`CASE kind WHEN 'payment' THEN 'balance'
          WHEN 'correction' THEN CASE WHEN request_id IS NULL THEN 'payments' ELSE 'balance' END ELSE 'charges' END`),
      created_at_ms: time,
      reference: text.nullable(),
      basis: text.nullable(),
      request_id: text.nullable(),
      project_id: text.nullable(),
      key_id: text.nullable(),
      model: text.nullable(),
      prompt_tokens: integer.nullable(),
      completion_tokens: integer.nullable(),
      input_per_1m: nano.nullable(),
      output_per_1m: nano.nullable(),
      rate: nano.nullable(),
      held: nano.nullable(),
      started_at_ms: time.nullable(),
      stream: boolean.nullable(),
      outcome: text.nullable(),
      status: integer.nullable(),
      estimated_tokens: integer.nullable(),
      first_byte_ms: integer.nullable(),
      duration_ms: integer.nullable(),
      hash: blob.nullable(),
      provider: text.nullable(),
      cached_tokens: integer.nullable(),
      trace: json.nullable(),
      balance_after: nano.nullable(),
      unit: text.nullable(),
      units: integer.nullable(),
      unit_price: nano.nullable(),
      note: text.nullable(),
      corrects: text.nullable(),
      reason: text.nullable(),
      batch_id: text.nullable(),
      audio: json.nullable(),
      counted_tokens: integer.nullable(),
    },
    {
      checks: [
        {
          name: "ledger_entries_basis",
          check: "basis = 'reported' OR basis = 'estimated' OR basis = 'interrupted'",
        },
        {
          name: "ledger_entries_kind",
          check: `CASE kind
            WHEN 'charge' THEN amount >= 0 AND amount <= held AND id = 'txn_' || substr(request_id, 5) AND corrects IS NULL
            WHEN 'payment' THEN amount >= 0 AND corrects IS NULL
            WHEN 'provider_variance' THEN amount >= 0 AND corrects IS NULL
            WHEN 'correction' THEN amount > 0 AND corrects IS NOT NULL AND corrects <> id AND reason IS NOT NULL
            ELSE 1 = 0 END`,
        },
      ],
      indexes: {
        ledger_entries_variances: { on: "request_id", where: "kind = 'provider_variance'" },
        ledger_entries_payments: { on: "seq", where: "kind = 'payment'" },
        ledger_entries_uncalled: { on: "kind", where: "kind <> 'charge'" },
        ledger_entries_corrections: { on: "corrects", where: "kind = 'correction'" },
        ledger_entries_units: { on: "model, created_at_ms", where: "unit IS NOT NULL" },
        ledger_entries_of_batches: { on: "batch_id, id", where: "batch_id IS NOT NULL" },
      },
      triggers: {
        ledger_entries_are_not_changed: {
          on: `BEFORE UPDATE OF ${FIXED}`,
          refuse: "ledger entries are immutable",
        },
        ledger_entries_are_not_deleted: { on: "BEFORE DELETE", refuse: "ledger entries are immutable" },
        ledger_entries_keep_their_balance: {
          on: "BEFORE UPDATE OF balance_after",
          when: "OLD.balance_after IS NOT NULL",
          refuse: "ledger entries are immutable",
        },
        ledger_entries_keep_their_trace: {
          on: "BEFORE UPDATE OF trace",
          when: "NEW.trace IS NOT NULL",
          refuse: "a trace is deleted, never changed",
        },
      },
    },
  ),
  // The hash on the last entry of a batch chains it to the batch before. Entries up to `starts_after` are in no chain.
  table(
    "ledger_chain",
    {
      one: integer.primaryKey().check("one = 1"),
      starts_after: integer,
    },
    {
      rows: [{ one: 1, starts_after: 0 }],
    },
  ),
  // At most one row: the last entry up to which the ledger was verified.
  table("ledger_checkpoint", {
    one: integer.primaryKey().check("one = 1"),
    point: json,
  }),
];

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
