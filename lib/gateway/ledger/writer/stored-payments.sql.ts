import type { Database } from "bun:sqlite";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { toNano } from "@/lib/money/amount";
import type { AuditContext } from "../../changes/audit/audit-event";
import { AuditTrail } from "../../changes/audit/audit-trail.sql";
import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import {
  type DuplicatePayment,
  EARLIER_PAYMENTS,
  type EarlierPayment,
  type EarlierPaymentRow,
  findDuplicates,
  formatAmountList,
  toEarlierPayment,
} from "../payments/duplicate-payments";
import {
  type ApprovalOutcome,
  COUNTED_MS,
  type CorrectionOutcome,
  correctionChange,
  type IdempotentPosting,
  type ImportedPayment,
  type ImportOutcome,
  type Payment,
  type PaymentApproval,
  type PaymentMaker,
  type PaymentOutcome,
  type PaymentPerson,
  type PendingPayment,
  paymentChange,
} from "../payments/posting";
import type { LedgerOperation } from "./ledger-operation";
import {
  type BatchEntries,
  type LedgerStatements,
  MAX_BALANCE,
  type StoredBalance,
} from "./ledger-statements.sql";
import { StoredCorrections } from "./stored-corrections.sql";

/** The payments and corrections that were recorded with an idempotency key. */
class IdempotentPostings {
  constructor(private readonly statements: Pick<LedgerStatements, "findIdempotent" | "keepIdempotent">) {}

  /** Keeps one posting, or those of an import. */
  keep(
    { scope, key, bodyHash }: Idempotency,
    postings: IdempotentPosting | readonly IdempotentPosting[],
    atMs: number,
  ): void {
    this.statements.keepIdempotent.run(scope, key, bodyHash, JSON.stringify(postings), atMs, null);
  }

  /**
   * Returns null for a new key, `conflict` for a key of another request. The hash of a request differs between single
   * postings and imports, so the caller knows which of them it gets.
   */
  find<Kept extends IdempotentPosting | readonly IdempotentPosting[] = IdempotentPosting>(
    { scope, key, bodyHash }: Idempotency,
    nowMs: number,
  ): Kept | "conflict" | null {
    const first = this.statements.findIdempotent.get({ scope, key, since: nowMs - IDEMPOTENCY_MS });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? (JSON.parse(first.reply) as Kept) : "conflict";
  }
}

type Repeated =
  | { readonly kind: "repeated" | "pending"; readonly id: string }
  | { readonly kind: "conflict" };

/** Payments and corrections, each with its audit event; at most one per idempotency key. */
export class StoredPayments {
  readonly #pending: StoredPendingPayments;
  readonly #corrections: StoredCorrections;
  readonly #postings: IdempotentPostings;
  readonly #trail: AuditTrail;
  readonly #alike;

  constructor(
    sqlite: Database,
    private readonly books: {
      readonly statements: LedgerStatements;
      readonly balance: StoredBalance;
      readonly entries: BatchEntries;
    },
  ) {
    this.#pending = new StoredPendingPayments(sqlite);
    this.#corrections = new StoredCorrections(sqlite, books.balance, books.entries);
    this.#postings = new IdempotentPostings(books.statements);
    this.#trail = new AuditTrail(sqlite);
    this.#alike = sqlite.prepare<EarlierPaymentRow, [string]>(EARLIER_PAYMENTS);
  }

  /**
   * A payment above the approval amount becomes pending. Payments without a maker are the gateway's own and need no
   * approval.
   */
  record({
    payment,
    idempotency,
    audit,
    maker,
  }: Extract<LedgerOperation, { kind: "payment" }>): PaymentOutcome {
    const { id, createdAtMs } = payment;
    const first = this.#findFirst(idempotency, createdAtMs);
    if (first) return first;
    if (this.#isTooLarge(payment.amount)) return { kind: "too_large" };
    const duplicates = "allowsDuplicate" in payment ? this.#refusedDuplicates([payment]) : [];
    if (duplicates.length > 0) return { kind: "duplicates", duplicates };
    const posting = this.#recordOne(payment, audit, maker);
    if (idempotency) this.#postings.keep(idempotency, posting, createdAtMs);
    return { kind: posting.isPending ? "pending" : "recorded", id };
  }

  #recordOne(
    payment: Payment,
    audit: AuditContext | null,
    maker: PaymentMaker | undefined,
  ): IdempotentPosting {
    const { id, note = null, paidOn = null } = payment;
    if (maker !== undefined && this.#pending.mustWait(payment, maker)) {
      this.#pending.insert({ ...payment, note, paidOn, correction: null }, maker);
      this.#wait(id, audit, otherEvents.paymentRequested);
      return { id, isPending: true };
    }
    this.books.entries.payment(payment);
    this.#trail.add(audit, paymentChange(payment));
    return { id, isPending: false };
  }

  #refusedDuplicates(payments: readonly ImportedPayment[]): DuplicatePayment[] {
    if (payments.every(({ allowsDuplicate }) => allowsDuplicate)) return [];
    return findDuplicates(payments, this.#earlier(payments)).filter(
      ({ index }) => !payments[index]?.allowsDuplicate,
    );
  }

  #earlier(payments: readonly Payment[]): EarlierPayment[] {
    // Earlier operations of the batch may have recorded the same payment.
    this.books.entries.write();
    const amounts = formatAmountList(payments.map(({ amount }) => amount));
    return this.#alike.all(amounts).map(toEarlierPayment);
  }

  /** Records payments in the same way: all of them, or none. */
  recordAll({
    payments,
    idempotency,
    audit,
    maker,
  }: Extract<LedgerOperation, { kind: "payments" }>): ImportOutcome {
    const atMs = payments[0]?.createdAtMs ?? 0;
    const earlierPostings =
      idempotency && this.#postings.find<readonly IdempotentPosting[]>(idempotency, atMs);
    if (earlierPostings === "conflict") return { kind: "conflict" };
    if (earlierPostings !== null) return { kind: "repeated", postings: earlierPostings };
    if (this.#isTooLarge(payments.reduce((sum, { amount }) => sum + amount, 0n)))
      return { kind: "too_large" };
    const duplicates = this.#refusedDuplicates(payments);
    if (duplicates.length > 0) return { kind: "duplicates", duplicates };
    const postings = payments.map((payment) => this.#recordOne(payment, audit, maker));
    if (idempotency) this.#postings.keep(idempotency, postings, atMs);
    return { kind: "recorded", postings };
  }

  /** Records a correction in the same way, if the corrected entry and the balance allow it. */
  correct({
    correction,
    idempotency,
    audit,
    maker,
  }: Extract<LedgerOperation, { kind: "correction" }>): CorrectionOutcome {
    const { id, createdAtMs } = correction;
    const first = this.#findFirst(idempotency, createdAtMs);
    if (first) return first;
    const judged = this.#corrections.checkCorrection(correction);
    if (judged.kind !== "allowed") return judged;
    const { amount, corrects, reason } = judged.correction;
    const isPending = maker !== undefined && this.#pending.mustWait({ id, amount, createdAtMs }, maker);
    if (idempotency) this.#postings.keep(idempotency, { id, isPending }, createdAtMs);
    if (isPending) {
      const none = { reference: null, note: null, paidOn: null };
      this.#pending.insert({ id, amount, createdAtMs, ...none, correction: { corrects, reason } }, maker);
      return this.#wait(id, audit, otherEvents.correctionRequested);
    }
    this.#corrections.record(judged);
    this.#trail.add(audit, correctionChange(judged.correction, judged.corrected.projectId));
    return { kind: "recorded", id };
  }

  /** Writes the payment's row and its entry together, so that concurrent approvals succeed once. */
  approve(approval: PaymentApproval): ApprovalOutcome {
    const { pendingId, entryId, approver, atMs, audit } = approval;
    const undecided = this.#pending.find(pendingId);
    if (!undecided) return { kind: "unknown" };
    if (undecided.status !== "pending") return { kind: "decided", status: undecided.status };
    if (undecided.maker.id === approver.id) return { kind: "own" };
    const { amount, reference, note, paidOn, correction } = undecided;
    if (correction) {
      const draft = { ...correction, id: entryId, amount, createdAtMs: atMs };
      const judged = this.#corrections.checkCorrection(draft);
      if (judged.kind !== "allowed") return judged;
      this.#pending.approve(approval);
      this.#corrections.record(judged);
      const change = correctionChange(judged.correction, judged.corrected.projectId);
      this.#trail.log(audit && { ...audit, type: otherEvents.correctionApproved }, [change]);
      return { kind: "approved", entryId };
    }
    if (this.#isTooLarge(amount)) return { kind: "too_large" };
    const payment = { id: entryId, amount, reference, note, paidOn, createdAtMs: atMs };
    this.#pending.approve(approval);
    this.books.entries.payment(payment);
    this.#trail.log(audit, [paymentChange(payment)]);
    return { kind: "approved", entryId };
  }

  #isTooLarge(amount: bigint): boolean {
    return this.books.balance.now.posted + amount > MAX_BALANCE;
  }

  #wait(id: string, audit: AuditContext | null, type: string) {
    this.#trail.log(audit && { ...audit, type });
    return { kind: "pending", id } as const;
  }

  #findFirst(idempotency: Idempotency | null, nowMs: number): Repeated | null {
    const first = idempotency && this.#postings.find(idempotency, nowMs);
    if (first === null) return null;
    if (first === "conflict") return { kind: "conflict" };
    return { kind: first.isPending ? "pending" : "repeated", id: first.id };
  }
}

interface PendingRow {
  id: string;
  amount: bigint;
  reference: string | null;
  note: string | null;
  paid_on: string | null;
  created_at_ms: bigint;
  maker_kind: PaymentPerson["kind"];
  maker_id: string;
  maker_name: string;
  status: PendingPayment["status"];
  corrects: string | null;
  correction_reason: string | null;
}

/** A pending payment or correction. */
type UndecidedPayment = Omit<PendingPayment, "maker" | "status" | "decision" | "approvalChange">;

/** A payment or a correction, as it counts with others of its payer. */
type Counted = Pick<PendingPayment, "id" | "amount" | "createdAtMs">;

/** Pending payments on the writer's connection. They are checked and written in the transaction of their entry. */
class StoredPendingPayments {
  readonly #statements;

  constructor(sqlite: Database) {
    this.#statements = {
      above: sqlite.prepare<{ above: bigint | null }, []>("SELECT above FROM payment_approval"),
      find: sqlite.prepare<PendingRow, [string]>(
        `SELECT id, amount, reference, note, paid_on, created_at_ms, maker_kind, maker_id, maker_name, status,
           corrects, correction_reason FROM pending_payments WHERE id = ? AND sets_approval = 0`,
      ),
      insert: sqlite.prepare<null, (string | bigint | number | null)[]>(
        `INSERT INTO pending_payments (status, id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name,
           corrects, correction_reason, paid_on) VALUES ('pending'${", ?".repeat(11)})`,
      ),
      sum: sqlite.prepare<{ amount: bigint | null }, [string, number]>(
        "SELECT sum(amount) AS amount FROM unapproved_payments WHERE payer_id = ? AND created_at_ms > ?",
      ),
      count: sqlite.prepare<null, [string, string, bigint, number]>(
        "INSERT INTO unapproved_payments (id, payer_id, amount, created_at_ms) VALUES (?, ?, ?, ?)",
      ),
      forget: sqlite.prepare<null, [number]>("DELETE FROM unapproved_payments WHERE created_at_ms <= ?"),
      approve: sqlite.prepare<null, (string | number)[]>(
        `UPDATE pending_payments SET status = 'approved', decided_at_ms = ?, decider_kind = ?, decider_id = ?,
           decider_name = ?, entry_id = ? WHERE id = ? AND status = 'pending'`,
      ),
    };
  }

  /**
   * Whether a payment needs approval by the present setting, together with the same payer's payments of a day. A
   * payment without need of approval is counted for a day, if there is a setting.
   */
  mustWait({ id, amount, createdAtMs }: Counted, { payerId }: PaymentMaker): boolean {
    const above = this.#statements.above.get()?.above ?? null;
    if (above === null) return false;
    const sinceMs = createdAtMs - COUNTED_MS;
    const recorded = BigInt(this.#statements.sum.get(payerId, sinceMs)?.amount ?? 0n);
    if (recorded + amount > above) return true;
    this.#statements.forget.run(sinceMs);
    this.#statements.count.run(id, payerId, amount, createdAtMs);
    return false;
  }

  find(id: string): (UndecidedPayment & { readonly maker: PaymentPerson; readonly status: string }) | null {
    const row = this.#statements.find.get(id);
    if (!row) return null;
    return {
      id: row.id,
      amount: toNano(row.amount),
      reference: row.reference,
      note: row.note,
      paidOn: row.paid_on,
      correction: toCorrection(row),
      createdAtMs: Number(row.created_at_ms),
      maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
      status: row.status,
    };
  }

  insert(
    { id, amount, reference, note, paidOn, createdAtMs, correction }: UndecidedPayment,
    { kind, id: makerId, name }: PaymentPerson,
  ): void {
    const what = [id, amount, reference, note, createdAtMs, kind, makerId, name] as const;
    this.#statements.insert.run(...what, correction?.corrects ?? null, correction?.reason ?? null, paidOn);
  }

  approve({ pendingId, entryId, approver, atMs }: PaymentApproval): void {
    this.#statements.approve.run(atMs, approver.kind, approver.id, approver.name, entryId, pendingId);
  }
}

/** Returns the entry that a pending correction corrects, and the reason; null for a payment. */
export function toCorrection({
  corrects,
  correction_reason: reason,
}: Pick<PendingRow, "corrects" | "correction_reason">): PendingPayment["correction"] {
  return corrects === null || reason === null ? null : { corrects, reason };
}
