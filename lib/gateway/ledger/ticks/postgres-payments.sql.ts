import { sql } from "kysely";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { toNano } from "@/lib/money/amount";
import type { AuditChange, AuditContext } from "../../changes/audit/audit-event";
import { createLock } from "../../changes/change";
import { logPending, takeChangeLock } from "../../changes/transactions.sql";
import type { Database } from "../../database/database";
import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import { storeUnavailable } from "../../refusal";
import type { Funds } from "../funds";
import { CHAINED_COLUMNS, hashBatchOfHashes, type LedgerRow, toChainedValues } from "../ledger-row";
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
  correctionChange,
  type IdempotentPosting,
  type ImportedPayment,
  type Payment,
  type PaymentMaker,
  paymentChange,
} from "../payments/posting";
import { MAX_BALANCE } from "../writer/ledger-statements.sql";
import { toCorrection } from "../writer/stored-payments.sql";

/** The row `book` while its lock is held. Amounts change with each entry. */
interface Book {
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

/**
 * Payments and corrections on PostgreSQL: ordinary transactions under the lock of `book`, which they take before that
 * of the audit log. Each has an audit event.
 */
export class PostgresPayments {
  /** One after another in this process: many that waited for the book would take the connections of all reads. */
  readonly #inTurn = createLock();

  constructor(private readonly database: Database) {}

  readonly record: Funds["recordPayment"] = (payment, idempotency, event, maker) =>
    this.#run(async (work) => {
      const first = await work.findFirst(idempotency, payment.createdAtMs);
      if (first) return first;
      if (work.isTooLarge(payment.amount)) return { kind: "too_large" };
      const duplicates = "allowsDuplicate" in payment ? await work.listDuplicates([payment]) : [];
      if (duplicates.length > 0) return { kind: "duplicates", duplicates };
      const posting = await work.pay(payment, event, maker);
      if (idempotency) await work.keep(idempotency, posting, payment.createdAtMs);
      return { kind: posting.isPending ? "pending" : "recorded", id: payment.id };
    });

  readonly recordAll: Funds["importPayments"] = (payments, idempotency, event, maker) =>
    this.#run(async (work) => {
      const atMs = payments[0]?.createdAtMs ?? 0;
      const earlier = idempotency && (await work.find<readonly IdempotentPosting[]>(idempotency, atMs));
      if (earlier === "conflict") return { kind: "conflict" };
      if (earlier !== null) return { kind: "repeated", postings: earlier };
      if (work.isTooLarge(payments.reduce((sum, { amount }) => sum + amount, 0n)))
        return { kind: "too_large" };
      const duplicates = await work.listDuplicates(payments);
      if (duplicates.length > 0) return { kind: "duplicates", duplicates };
      const postings: IdempotentPosting[] = [];
      for (const payment of payments) postings.push(await work.pay(payment, event, maker));
      if (idempotency) await work.keep(idempotency, postings, atMs);
      return { kind: "recorded", postings };
    });

  readonly correct: Funds["recordCorrection"] = (correction, idempotency, event, maker) =>
    this.#run(async (work) => {
      const { id, createdAtMs } = correction;
      const first = await work.findFirst(idempotency, createdAtMs);
      if (first) return first;
      const judged = await work.judge(correction);
      if (judged.kind !== "allowed") return judged;
      const { amount } = judged.correction;
      const isPending = maker !== undefined && (await work.mustWait({ id, amount, createdAtMs }, maker));
      if (idempotency) await work.keep(idempotency, { id, isPending }, createdAtMs);
      if (isPending) {
        await work.insertPending({ ...judged.correction, reference: null, note: null }, maker);
        await work.log({ ...event, type: otherEvents.correctionRequested });
        return { kind: "pending", id };
      }
      await work.enter(judged.row);
      await work.log(event, correctionChange(judged.correction, judged.of.project_id));
      return { kind: "recorded", id };
    });

  readonly approve: Funds["approvePayment"] = (approval) =>
    this.#run(async (work) => {
      const { pendingId, entryId, approver, atMs, audit } = approval;
      const undecided = await work.findPending(pendingId);
      if (!undecided) return { kind: "unknown" };
      if (undecided.status !== "pending") return { kind: "decided", status: undecided.status };
      if (undecided.maker_id === approver.id) return { kind: "own" };
      const amount = toNano(BigInt(undecided.amount));
      const correction = toCorrection(undecided);
      const decide = () =>
        sql`UPDATE pending_payments SET status = 'approved', decided_at_ms = ${atMs}, decider_kind = ${approver.kind},
          decider_id = ${approver.id}, decider_name = ${approver.name}, entry_id = ${entryId}
          WHERE id = ${pendingId} AND status = 'pending'`.execute(work.queries);
      if (correction) {
        const judged = await work.judge({ ...correction, id: entryId, amount, createdAtMs: atMs });
        if (judged.kind !== "allowed") return judged;
        await decide();
        await work.enter(judged.row);
        const change = correctionChange(judged.correction, judged.of.project_id);
        await work.log(audit && { ...audit, type: otherEvents.correctionApproved }, change);
        return { kind: "approved", entryId };
      }
      if (work.isTooLarge(amount)) return { kind: "too_large" };
      const { reference, note } = undecided;
      const payment = { id: entryId, amount, reference, note, createdAtMs: atMs };
      await decide();
      await work.enter(toPaymentRow(payment));
      await work.log(audit, paymentChange(payment));
      return { kind: "approved", entryId };
    });

  /** @throws Refusal 503; nothing was stored, or the request's idempotency key finds what was. */
  #run<Result>(decide: (work: Posting) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => this.#runNow(decide));
  }

  async #runNow<Result>(decide: (work: Posting) => Promise<Result>): Promise<Result> {
    try {
      return await this.database.transaction().execute(async (queries) => {
        await sql`SET LOCAL lock_timeout = '2s'`.execute(queries);
        const { rows } = await sql<
          Omit<Book, "balance"> & { balance: string }
        >`SELECT version::text, balance::text,
          held::text, payments::text, charges::text, seq::text, hash FROM book ORDER BY version DESC LIMIT 1 FOR UPDATE`.execute(
          queries,
        );
        const [row] = rows;
        if (!row) throw new Error("The row of the book is missing");
        await takeChangeLock(queries);
        const work = new Posting(queries, {
          version: String(row.version),
          balance: BigInt(row.balance),
          held: BigInt(row.held),
          payments: BigInt(row.payments),
          charges: BigInt(row.charges),
          seq: BigInt(row.seq),
          hash: row.hash,
        });
        const result = await decide(work);
        await work.writeBook();
        return result;
      });
    } catch (error) {
      throw Object.assign(storeUnavailable(), { cause: error });
    }
  }
}

interface PendingRow {
  readonly status: string;
  readonly maker_id: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly corrects: string | null;
  readonly correction_reason: string | null;
}

/** One unit of work on the books. Each entry is a batch of its own. */
class Posting {
  readonly #first: bigint;

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

  async pay(
    payment: Payment,
    event: AuditContext,
    maker: PaymentMaker | undefined,
  ): Promise<IdempotentPosting> {
    const { id } = payment;
    if (maker !== undefined && (await this.mustWait(payment, maker))) {
      await this.insertPending({ ...payment, corrects: null, reason: null }, maker);
      await this.log({ ...event, type: otherEvents.paymentRequested });
      return { id, isPending: true };
    }
    await this.enter(toPaymentRow(payment));
    await this.log(event, paymentChange(payment));
    return { id, isPending: false };
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
    const { queries } = this;
    const sinceMs = createdAtMs - COUNTED_MS;
    const { rows } = await sql<{ above: string | null; recorded: string }>`SELECT above::text,
      (SELECT coalesce(sum(amount), 0)::text FROM unapproved_payments
        WHERE payer_id = ${payerId} AND created_at_ms > ${sinceMs}) AS recorded FROM payment_approval`.execute(
      queries,
    );
    const [row] = rows;
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
      readonly createdAtMs: number;
      readonly corrects: string | null;
      readonly reason: string | null;
    },
    { kind, id: makerId, name }: PaymentMaker,
  ): Promise<void> {
    const { id, amount, reference, note = null, createdAtMs, corrects, reason } = pending;
    await sql`INSERT INTO pending_payments (status, id, amount, reference, note, created_at_ms, maker_kind, maker_id,
        maker_name, corrects, correction_reason)
      VALUES ('pending', ${id}, ${String(amount)}::bigint, ${reference}, ${note}, ${createdAtMs}, ${kind}, ${makerId}, ${name},
        ${corrects}, ${reason})`.execute(this.queries);
  }

  async findPending(id: string): Promise<PendingRow | undefined> {
    const { rows } = await sql<PendingRow>`SELECT status, maker_id, amount::text, reference, note, corrects,
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

  async enter(row: LedgerRow): Promise<void> {
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
    const columns = sql.raw(CHAINED_COLUMNS.map((name) => `"${name}"`).join(", "));
    const list = sql.join(values.map((value) => sql`${typeof value === "bigint" ? String(value) : value}`));
    await sql`INSERT INTO ledger_entries (seq, balance_after, hash, ${columns})
      VALUES (${String(book.seq)}, ${String(book.balance)}, ${book.hash}, ${list})`.execute(this.queries);
  }

  /** Writes the audit event of the rows that were changed, with a change that no trigger records. */
  async log(event: AuditContext | null, change?: AuditChange): Promise<void> {
    if (change) {
      const { before, after, ...named } = change;
      const row = {
        ...named,
        before: before && JSON.stringify(before),
        after: after && JSON.stringify(after),
      };
      await this.queries.insertInto("audit_pending").values(row).execute();
    }
    if (event) await logPending(this.queries, event);
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

function toPaymentRow({ id, amount, createdAtMs, reference, note = null }: Payment): LedgerRow {
  return { kind: "payment", id, amount, created_at_ms: createdAtMs, reference, note };
}
