import type { Database } from "bun:sqlite";
import { PAYMENT_REQUESTED } from "@/lib/contract/audit-events";
import type { ApprovalOutcome, Payment, PaymentOutcome } from "../../balance/funds";
import { IDEMPOTENCY_MS, type Idempotency } from "../../balance/idempotency";
import type { PaymentApproval } from "../../balance/payments/pending-payment";
import { AuditTrail, paymentChange } from "../audit/audit-trail";
import type { EntryBook } from "./entry-book";
import type { LedgerOperation } from "./ledger-operation";
import type { LedgerStatements } from "./ledger-statements";
import type { StoredBalance } from "./stored-balance";
import { StoredPendingPayments } from "./stored-pending-payments";

const MAX_BALANCE = 9_000_000_000_000_000_000n;

/** Payments, each with its audit event; at most one per idempotency key. */
export class StoredPayments {
  readonly #pending: StoredPendingPayments;
  readonly #trail: AuditTrail;

  constructor(
    sqlite: Database,
    private readonly books: {
      readonly statements: LedgerStatements;
      readonly balance: StoredBalance;
      readonly entries: EntryBook;
    },
  ) {
    this.#pending = new StoredPendingPayments(sqlite);
    this.#trail = new AuditTrail(sqlite);
  }

  /** One above the amount that is set waits for a second person. One without a maker is the gateway's own. */
  record({
    payment,
    idempotency,
    audit,
    maker,
  }: Extract<LedgerOperation, { kind: "payment" }>): PaymentOutcome {
    const [pending, trail, { entries }] = [this.#pending, this.#trail, this.books];
    const first = idempotency && this.#find(idempotency, payment.createdAtMs);
    if (first) return first;
    if (this.#isTooLarge(payment.amount)) return { kind: "too_large" };
    const mustWait = maker !== undefined && pending.mustWait(payment.amount);
    if (idempotency) this.#keep(idempotency, payment, mustWait);
    if (mustWait) {
      pending.insert(payment, maker);
      trail.log(audit && { ...audit, type: PAYMENT_REQUESTED });
      return { kind: "pending", id: payment.id };
    }
    entries.payment(payment);
    trail.add(audit, paymentChange(payment));
    return { kind: "recorded", payment };
  }

  /** Writes the payment's row and its entry together, so that concurrent approvals succeed once. */
  approve(approval: PaymentApproval): ApprovalOutcome {
    const [pending, trail, { entries }] = [this.#pending, this.#trail, this.books];
    const waiting = pending.find(approval.pendingId);
    if (!waiting) return { kind: "unknown" };
    if (waiting.status !== "pending") return { kind: "decided", status: waiting.status };
    if (waiting.maker.id === approval.approver.id) return { kind: "own" };
    if (this.#isTooLarge(waiting.amount)) return { kind: "too_large" };
    const { amount, reference, note } = waiting;
    const payment = { id: approval.entryId, amount, reference, note, createdAtMs: approval.atMs };
    pending.approve(approval);
    entries.payment(payment);
    trail.log(approval.audit, [paymentChange(payment)]);
    return { kind: "approved", payment };
  }

  #isTooLarge(amount: bigint): boolean {
    return this.books.balance.now.posted + amount > MAX_BALANCE;
  }

  #keep({ scope, key, bodyHash }: Idempotency, payment: Payment, isPending: boolean): void {
    const reply = JSON.stringify({ ...payment, amount: String(payment.amount), isPending });
    this.books.statements.keepIdempotent.run(scope, key, bodyHash, reply, payment.createdAtMs, null);
  }

  #find({ scope, key, bodyHash }: Idempotency, nowMs: number): PaymentOutcome | null {
    const since = nowMs - IDEMPOTENCY_MS;
    const first = this.books.statements.findIdempotent.get({ scope, key, since });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? repeated(first.reply) : { kind: "conflict" };
  }
}

type KeptPayment = Omit<Payment, "amount"> & { amount: string; isPending?: boolean };

function repeated(reply: string): PaymentOutcome {
  const { isPending, ...payment } = JSON.parse(reply) as KeptPayment;
  if (isPending) return { kind: "pending", id: payment.id };
  return { kind: "repeated", payment: { ...payment, amount: BigInt(payment.amount) as Payment["amount"] } };
}
