import { newId } from "@/lib/contract/ids";
import type { PaymentDraft } from "@/lib/contract/operations/balance";
import { amountOf } from "@/lib/money/amount";
import type { AuditContext } from "../../audit/audit-context";
import type { Effects } from "../../effects";
import { conflict, invalid, type Refusal } from "../../refusal";
import { hashSecret } from "../../secrets/hash-secret";
import type { Funds, Payment } from "../funds";
import { refuseMalformedKey } from "../idempotency";
import type { PaymentPerson } from "./pending-payment";

/**
 * Records a payment, which can pay for calls at once. A payment above the approval amount waits for a second person. A repeat of its
 * idempotency key within 24 hours returns the first payment.
 * @throws Refusal 400 where the balance can't hold that much; 409 where the key was used for another payment.
 */
export async function recordPayment(
  { funds, effects }: { funds: Funds; effects: Effects },
  draft: PaymentDraft,
  asked: { key: string | null; scope: string; event: AuditContext; maker?: PaymentPerson },
): Promise<{ payment: Payment } | { pendingId: string }> {
  const { key, scope, event, maker } = asked;
  refuseMalformedKey(key);
  const createdAtMs = effects.clock.nowMs();
  const [amount, reference, note] = [amountOf(draft.amount), draft.reference || null, draft.note || null];
  const payment = { id: newId("txn", createdAtMs, effects.random), amount, reference, note, createdAtMs };
  const bodyHash = hashSecret(JSON.stringify(["createPayment", String(amount), reference, note]));
  const idempotency = key === null ? null : { scope, key, bodyHash };
  const outcome = await funds.recordPayment(payment, idempotency, event, maker);
  if (outcome.kind === "conflict") {
    const message =
      "This Idempotency-Key came with another request before; send a new key, or the same payment.";
    throw conflict("Idempotency-Key", message, "idempotency_conflict");
  }
  if (outcome.kind === "too_large") throw balanceTooLarge();
  return outcome.kind === "pending" ? { pendingId: outcome.id } : { payment: outcome.payment };
}

export function balanceTooLarge(): Refusal {
  const message = "The balance would pass 9000000000, the most it can hold; record a smaller payment.";
  return invalid("amount", message);
}
