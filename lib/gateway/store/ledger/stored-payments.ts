import type { Payment, PaymentOutcome } from "../../balance/funds";
import { IDEMPOTENCY_MS, type Idempotency } from "../../balance/idempotency";
import { type AuditTrail, paymentChange } from "../audit/audit-trail";
import type { EntryBook } from "./entry-book";
import type { LedgerOperation } from "./ledger-operation";
import type { LedgerStatements } from "./ledger-statements";
import type { StoredBalance } from "./stored-balance";

const LARGEST_BALANCE = 9_000_000_000_000_000_000n;

/** Payments, each with its audit event, and under an idempotency key once. */
export class StoredPayments {
  constructor(
    private readonly books: {
      readonly statements: LedgerStatements;
      readonly balance: StoredBalance;
      readonly entries: EntryBook;
      readonly trail: AuditTrail;
    },
  ) {}

  record({ payment, idempotency, audit }: Extract<LedgerOperation, { kind: "payment" }>): PaymentOutcome {
    const { statements, balance, entries, trail } = this.books;
    const { amount, createdAtMs } = payment;
    const first = idempotency && this.#find(idempotency, createdAtMs);
    if (first) return first;
    if (balance.now.posted + amount > LARGEST_BALANCE) return { kind: "too_large" };
    if (idempotency) {
      const { scope, key, bodyHash } = idempotency;
      const reply = JSON.stringify({ ...payment, amount: String(amount) });
      statements.keepIdempotent.run(scope, key, bodyHash, reply, createdAtMs, null);
    }
    entries.payment(payment);
    trail.add(audit, paymentChange(payment));
    return { kind: "recorded", payment };
  }

  #find({ scope, key, bodyHash }: Idempotency, nowMs: number): PaymentOutcome | null {
    const since = nowMs - IDEMPOTENCY_MS;
    const first = this.books.statements.findIdempotent.get({ scope, key, since });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? repeated(first.reply) : { kind: "conflict" };
  }
}

function repeated(reply: string): PaymentOutcome {
  const payment = JSON.parse(reply) as Omit<Payment, "amount"> & { amount: string };
  return { kind: "repeated", payment: { ...payment, amount: BigInt(payment.amount) as Payment["amount"] } };
}
