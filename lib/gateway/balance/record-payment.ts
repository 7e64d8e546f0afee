import { newId } from "@/lib/contract/ids";
import type { PaymentDraft } from "@/lib/contract/operations/balance";
import { amountOf } from "@/lib/money/amount";
import type { AuditContext } from "../audit/audit-context";
import type { Effects } from "../effects";
import { conflict, invalid } from "../refusal";
import { hashSecret } from "../secrets/hash-secret";
import type { Funds, Payment } from "./funds";
import { refuseMalformedKey } from "./idempotency";

/**
 * Records a payment; calls can be paid from it at once. With an idempotency key a repeat within 24 hours gets the first one.
 * @throws Refusal 400 where the balance can't hold that much, 409 for a key that came with another payment before.
 */
export async function recordPayment(
  { funds, effects }: { funds: Funds; effects: Effects },
  draft: PaymentDraft,
  { key, scope, event }: { key: string | null; scope: string; event: AuditContext },
): Promise<Payment> {
  refuseMalformedKey(key);
  const createdAtMs = effects.clock.nowMs();
  const [amount, reference] = [amountOf(draft.amount), draft.reference || null];
  const payment = { id: newId("txn", createdAtMs, effects.random), amount, reference, createdAtMs };
  const bodyHash = hashSecret(JSON.stringify(["createPayment", String(amount), reference]));
  const idempotency = key === null ? null : { scope, key, bodyHash };
  const outcome = await funds.recordPayment(payment, idempotency, event);
  if (outcome.kind === "conflict") {
    const message =
      "This Idempotency-Key came with another request before; send a new key, or the same payment.";
    throw conflict("Idempotency-Key", message, "idempotency_conflict");
  }
  if (outcome.kind === "too_large") {
    throw invalid(
      "amount",
      "The balance would pass 9000000000, the most it can hold; record a smaller payment.",
    );
  }
  return outcome.payment;
}
