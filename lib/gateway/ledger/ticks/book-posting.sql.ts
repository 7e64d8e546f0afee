import { sql } from "kysely";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { toNano } from "@/lib/money/amount";
import type { AuditChange, AuditContext } from "../../changes/audit/audit-event";
import { logPending } from "../../changes/transactions.sql";
import type { Database } from "../../database/database";
import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import {
  CHAINED_COLUMNS,
  hashBatchOfHashes,
  type LedgerRow,
  toChainedValues,
  toPaymentRow,
} from "../ledger-row";
import {
  type DuplicatePayment,
  type EarlierPaymentRow,
  findDuplicates,
  toEarlierPayment,
} from "../payments/duplicate-payments";
import {
  COUNTED_MS,
  type Correction,
  type CorrectionFault,
  type IdempotentPosting,
  type ImportedPayment,
  type Payment,
  type PaymentMaker,
  paymentChange,
} from "../payments/posting";
import { MAX_BALANCE } from "../writer/ledger-statements.sql";

/** Entries and events of one statement. */
const WRITTEN_AT_ONCE = 200;

/** The row `book` while its lock is held. Amounts change with each entry. */
export interface Book {
  readonly version: string;
  balance: bigint;
  readonly held: bigint;
  payments: bigint;
  charges: bigint;
  seq: bigint;
  hash: Buffer;
}

interface CorrectedRow {
  readonly kind: "payment" | "charge" | "correction" | "provider_variance";
  readonly amount: string;
  readonly request_id: string | null;
  readonly project_id: string | null;
  readonly key_id: string | null;
  readonly model: string | null;
  readonly corrected: string;
}

type Allowed = {
  readonly kind: "allowed";
  readonly row: LedgerRow;
  readonly of: CorrectedRow;
  readonly correction: Correction & { readonly amount: ReturnType<typeof toNano> };
};

interface PendingRow {
  readonly status: string;
  readonly maker_id: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly paid_on: string | null;
  readonly corrects: string | null;
  readonly correction_reason: string | null;
}

/** One unit of work on the books. Each entry is a batch of its own. */
export class BookPosting {
  readonly #first: bigint;
  #needsNoApproval = false;

  constructor(
    readonly queries: Database,
    private readonly book: Book,
  ) {
    this.#first = book.seq;
  }

  isTooLarge(amount: bigint): boolean {
    return this.book.balance + amount > MAX_BALANCE;
  }

  async find<Kept extends IdempotentPosting | readonly IdempotentPosting[] = IdempotentPosting>(
    { scope, key, bodyHash }: Idempotency,
    nowMs: number,
  ): Promise<Kept | "conflict" | null> {
    const first = await this.queries
      .selectFrom("idempotency_keys")
      .select(["body_hash", "reply"])
      .where("scope", "=", scope)
      .where("key", "=", key)
      .where("created_at_ms", ">", nowMs - IDEMPOTENCY_MS)
      .executeTakeFirst();
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? (JSON.parse(first.reply) as Kept) : "conflict";
  }

  async findFirst(idempotency: Idempotency | null, nowMs: number) {
    const first = idempotency && (await this.find(idempotency, nowMs));
    if (first === null) return null;
    if (first === "conflict") return { kind: "conflict" } as const;
    return { kind: first.isPending ? "pending" : "repeated", id: first.id } as const;
  }

  async keep(
    { scope, key, bodyHash }: Idempotency,
    postings: IdempotentPosting | readonly IdempotentPosting[],
    atMs: number,
  ): Promise<void> {
    await sql`INSERT INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms, request_id)
      VALUES (${scope}, ${key}, ${bodyHash}, ${JSON.stringify(postings)}, ${atMs}, NULL)
      ON CONFLICT (scope, key) DO UPDATE SET body_hash = excluded.body_hash, reply = excluded.reply,
        created_at_ms = excluded.created_at_ms, request_id = NULL`.execute(this.queries);
  }

  /** Records payments, each with its event. While many are written one by one, no call could be held. */
  async payAll(
    payments: readonly Payment[],
    event: AuditContext,
    maker: PaymentMaker | undefined,
  ): Promise<IdempotentPosting[]> {
    const postings: IdempotentPosting[] = [];
    const recorded: Payment[] = [];
    for (const payment of payments) {
      const isPending = maker !== undefined && (await this.mustWait(payment, maker));
      postings.push({ id: payment.id, isPending });
      if (!isPending) {
        recorded.push(payment);
        continue;
      }
      await this.insertPending({ ...payment, corrects: null, reason: null }, maker);
      await this.log({ ...event, type: otherEvents.paymentRequested });
    }
    for (let from = 0; from < recorded.length; from += WRITTEN_AT_ONCE) {
      const some = recorded.slice(from, from + WRITTEN_AT_ONCE);
      await this.enter(...some.map(toPaymentRow));
      await this.log(event, ...some.map(paymentChange));
    }
    return postings;
  }

  async listDuplicates(payments: readonly ImportedPayment[]): Promise<DuplicatePayment[]> {
    if (payments.every(({ allowsDuplicate }) => allowsDuplicate)) return [];
    const amounts = [...new Set(payments.map(({ amount }) => String(amount)))];
    const { rows } = await sql<EarlierPaymentRow>`
      SELECT id, amount::text, reference, note, created_at_ms::text AS at_ms, 'no' AS is_pending FROM ledger_entries AS entry
      WHERE kind = 'payment' AND amount = ANY (${amounts}::bigint[]) AND amount > (
        SELECT coalesce(sum(correction.amount), 0) FROM ledger_entries AS correction
        WHERE correction.kind = 'correction' AND correction.corrects = entry.id)
      UNION ALL SELECT id, amount::text, reference, note, created_at_ms::text, 'yes' FROM pending_payments
      WHERE status = 'pending' AND corrects IS NULL AND amount = ANY (${amounts}::bigint[])`.execute(
      this.queries,
    );
    return findDuplicates(payments, rows.map(toEarlierPayment)).filter(
      ({ index }) => !payments[index]?.allowsDuplicate,
    );
  }

  /** Whether a payment needs approval by the present setting, together with the same payer's payments of a day. */
  async mustWait(
    {
      id,
      amount,
      createdAtMs,
    }: { readonly id: string; readonly amount: bigint; readonly createdAtMs: number },
    { payerId }: PaymentMaker,
  ): Promise<boolean> {
    if (this.#needsNoApproval) return false;
    const { queries } = this;
    const sinceMs = createdAtMs - COUNTED_MS;
    const { rows } = await sql<{ above: string | null; recorded: string }>`SELECT above::text,
      (SELECT coalesce(sum(amount), 0)::text FROM unapproved_payments
        WHERE payer_id = ${payerId} AND created_at_ms > ${sinceMs}) AS recorded FROM payment_approval`.execute(
      queries,
    );
    const [row] = rows;
    this.#needsNoApproval = !row || row.above === null;
    if (!row || row.above === null) return false;
    if (BigInt(row.recorded) + amount > BigInt(row.above)) return true;
    await sql`DELETE FROM unapproved_payments WHERE created_at_ms <= ${sinceMs}`.execute(queries);
    await sql`INSERT INTO unapproved_payments (id, payer_id, amount, created_at_ms)
      VALUES (${id}, ${payerId}, ${String(amount)}::bigint, ${createdAtMs})`.execute(queries);
    return false;
  }

  async insertPending(
    pending: {
      readonly id: string;
      readonly amount: bigint;
      readonly reference: string | null;
      readonly note?: string | null;
      readonly paidOn?: string | null;
      readonly createdAtMs: number;
      readonly corrects: string | null;
      readonly reason: string | null;
    },
    { kind, id: makerId, name }: PaymentMaker,
  ): Promise<void> {
    const { id, amount, reference, note = null, paidOn = null, createdAtMs, corrects, reason } = pending;
    await sql`INSERT INTO pending_payments (status, id, amount, reference, note, created_at_ms, maker_kind, maker_id,
        maker_name, corrects, correction_reason, paid_on)
      VALUES ('pending', ${id}, ${String(amount)}::bigint, ${reference}, ${note}, ${createdAtMs}, ${kind}, ${makerId}, ${name},
        ${corrects}, ${reason}, ${paidOn})`.execute(this.queries);
  }

  async findPending(id: string): Promise<PendingRow | undefined> {
    const { rows } =
      await sql<PendingRow>`SELECT status, maker_id, amount::text, reference, note, paid_on, corrects,
      correction_reason FROM pending_payments WHERE id = ${id} AND sets_approval = 0`.execute(this.queries);
    return rows[0];
  }

  /** Without an amount: all that hasn't been corrected yet. The available balance never becomes negative. */
  async judge(correction: Correction): Promise<Allowed | CorrectionFault> {
    const { rows } = await sql<CorrectedRow>`SELECT kind, amount::text, request_id, project_id, key_id, model,
        (SELECT coalesce(sum(amount), 0)::text FROM ledger_entries AS correction
          WHERE correction.kind = 'correction' AND corrects = entry.id) AS corrected
      FROM ledger_entries AS entry WHERE id = ${correction.corrects}`.execute(this.queries);
    const [of] = rows;
    if (!of) return { kind: "unknown" };
    if (of.kind !== "payment" && of.kind !== "charge") return { kind: "not_correctable", entryKind: of.kind };
    const remaining = toNano(BigInt(of.amount) - BigInt(of.corrected));
    const amount = correction.amount ?? remaining;
    if (amount > remaining || amount <= 0n) return { kind: "exceeds", remaining };
    const available = toNano(this.book.balance - this.book.held);
    if (of.kind === "payment" && amount > available) return { kind: "short", available, required: amount };
    if (of.kind === "charge" && this.isTooLarge(amount)) return { kind: "too_large" };
    const { id, createdAtMs, corrects, reason } = correction;
    const { request_id, project_id, key_id, model } = of;
    const row = { kind: "correction", id, amount, created_at_ms: createdAtMs, corrects, reason } as const;
    return {
      kind: "allowed",
      of,
      correction: { ...correction, amount },
      row: { ...row, request_id, project_id, key_id, model },
    };
  }

  async enter(...rows: readonly LedgerRow[]): Promise<void> {
    const columns = sql.raw(
      ["seq", "balance_after", "hash", ...CHAINED_COLUMNS].map((name) => `"${name}"`).join(", "),
    );
    // One parameter for all: a thousand of each column would take longer than calls wait for the book.
    const entries = JSON.stringify(rows.map((row) => this.#add(row)));
    await sql`INSERT INTO ledger_entries (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::ledger_entries, ${entries}::jsonb)`.execute(
      this.queries,
    );
  }

  /** Moves the book's amounts by an entry. @returns the entry's values. */
  #add(row: LedgerRow): Record<string, unknown> {
    const { book } = this;
    if (row.kind === "payment") {
      book.balance += row.amount;
      book.payments -= row.amount;
    } else if (row.request_id === null || row.request_id === undefined) {
      book.balance -= row.amount;
      book.payments += row.amount;
    } else {
      book.balance += row.amount;
      book.charges -= row.amount;
    }
    book.seq++;
    const values = toChainedValues(row);
    book.hash = Buffer.from(hashBatchOfHashes(book.hash, [values]));
    const columns = values.map((value, index) => [
      CHAINED_COLUMNS[index],
      typeof value === "bigint" ? String(value) : value,
    ]);
    return {
      ...Object.fromEntries(columns),
      seq: String(book.seq),
      balance_after: String(book.balance),
      hash: `\\x${book.hash.toString("hex")}`,
    };
  }

  /** Writes the audit event of the rows that were changed, or one for each of these changes that no trigger records. */
  async log(event: AuditContext | null, ...changes: readonly AuditChange[]): Promise<void> {
    const rows = changes.map(({ before, after, ...named }) => ({
      ...named,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    }));
    if (rows.length > 0) await this.queries.insertInto("audit_pending").values(rows).execute();
    const [first] = changes;
    const isOfMany = event && first && changes.length > 1;
    const eachOf = isOfMany ? { object: first.object, type: event.type } : undefined;
    if (event) await logPending(this.queries, eachOf ? { ...event, eachOf } : event);
  }

  async writeBook(): Promise<void> {
    const { version, balance, payments, charges, seq, hash } = this.book;
    if (seq === this.#first) return;
    await sql`UPDATE book SET version = version + 1, balance = ${String(balance)}, payments = ${String(payments)},
      charges = ${String(charges)}, seq = ${String(seq)}, hash = ${hash} WHERE version = ${version}`.execute(
      this.queries,
    );
  }
}

/**
 * The tables that only PostgreSQL has: what the embedded engine keeps in its accounts and in memory. `book` has one
 * row, whose lock is the order of all ticks. Rows that every tick changes have a version in their key and are found
 * newest first: an old snapshot keeps dead versions alive, which are never walked through.
 */
export const bookTables = [
  `CREATE TABLE book (
    version bigint PRIMARY KEY, balance bigint NOT NULL, held bigint NOT NULL, payments bigint NOT NULL,
    charges bigint NOT NULL, variance bigint NOT NULL, last_ms bigint NOT NULL, seq bigint NOT NULL, hash bytea NOT NULL,
    CHECK (held BETWEEN 0 AND balance))`,
  "INSERT INTO book VALUES (0, 0, 0, 0, 0, 0, 0, 0, decode(repeat('00', 32), 'hex'))",
  // The charges of a calendar month (UTC) and the open holds, of the organization and of each project.
  `CREATE TABLE spend (
    scope text, version bigint, month_ms bigint NOT NULL, spent bigint NOT NULL, held bigint NOT NULL,
    PRIMARY KEY (scope, version))`,
  // What counts in the six rolling limits of a project and model, in the order of the table of limits: `used` in all,
  // `last` in the open slot, `debt` the tokens beyond the limit. Closed slots are rows of their own.
  `CREATE TABLE windows (
    project_id text, model text, version bigint, minute_slot bigint NOT NULL, day_slot bigint NOT NULL,
    used bigint[] NOT NULL, last bigint[] NOT NULL, debt bigint NOT NULL, PRIMARY KEY (project_id, model, version))`,
  `CREATE TABLE minute_slots (
    project_id text, model text, slot bigint, amounts bigint[] NOT NULL, PRIMARY KEY (project_id, model, slot))`,
  `CREATE TABLE day_slots (
    project_id text, model text, slot bigint, amounts bigint[] NOT NULL, PRIMARY KEY (project_id, model, slot))`,
  ...["book", "spend", "windows", "minute_slots", "holds"].map(
    (hot) =>
      `ALTER TABLE ${hot} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  ),
  // What reads the accounts of the embedded engine reads them here.
  "DROP TABLE accounts",
  `CREATE VIEW accounts AS SELECT name, account.balance, CASE name WHEN 'balance' THEN held ELSE 0 END AS held
    FROM (SELECT * FROM book ORDER BY version DESC LIMIT 1) AS book,
      LATERAL (VALUES ('payments', payments), ('balance', book.balance), ('charges', charges),
        ('provider_variance', variance)) AS account (name, balance)`,
];
