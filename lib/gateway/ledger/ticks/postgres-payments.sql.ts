import { sql } from "kysely";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { toNano } from "@/lib/money/amount";
import { createLock } from "../../changes/change";
import { takeChangeLock } from "../../changes/transactions.sql";
import type { Database } from "../../database/database";
import { storeUnavailable } from "../../refusal";
import type { Funds } from "../funds";
import { toPaymentRow } from "../ledger-row";
import { correctionChange, type IdempotentPosting, paymentChange } from "../payments/posting";
import { toCorrection } from "../writer/stored-payments.sql";
import { type Book, BookPosting } from "./book-posting.sql";

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
      const [posting] = await work.payAll([payment], event, maker);
      if (!posting) throw new Error("A payment was neither recorded nor kept waiting");
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
      const postings = await work.payAll(payments, event, maker);
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
      const { reference, note, paid_on: paidOn } = undecided;
      const payment = { id: entryId, amount, reference, note, paidOn, createdAtMs: atMs };
      await decide();
      await work.enter(toPaymentRow(payment));
      await work.log(audit, paymentChange(payment));
      return { kind: "approved", entryId };
    });

  /** @throws Refusal 503; nothing was stored, or the request's idempotency key finds what was. */
  #run<Result>(decide: (work: BookPosting) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => this.#runNow(decide));
  }

  async #runNow<Result>(decide: (work: BookPosting) => Promise<Result>): Promise<Result> {
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
        const work = new BookPosting(queries, {
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
