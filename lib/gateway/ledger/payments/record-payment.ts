import { newId } from "@/lib/contract/ids";
import type { PaymentDraft } from "@/lib/contract/operations/money/payments";
import { MAX_UNITS, parseCheckedAmount } from "@/lib/money/amount";
import type { AuditContext } from "../../changes/audit/audit-context";
import type { Effects } from "../../effects";
import { hashBody, refuseMalformedKey } from "../../idempotency/idempotency";
import { conflict, invalid, type Refusal } from "../../refusal";
import type { Funds } from "../funds";
import type { PaymentMaker } from "./pending-payment";

/** A request to record a payment or a correction, with its idempotency key. */
export interface PostingRequest {
  /** The header `Idempotency-Key`. */
  readonly key: string | null;
  /** The caller that the key belongs to. */
  readonly scope: string;
  readonly event: AuditContext;
  readonly maker?: PaymentMaker;
}

/** The id of the ledger entry, or of the pending payment or correction. */
export type RecordedPosting = { readonly entryId: string } | { readonly pendingId: string };

/**
 * Records a payment, which can pay for calls at once. A payment above the approval amount waits for a second person. A
 * repeat of its idempotency key within 24 hours returns the first payment.
 * @throws Refusal 400 if the balance can't hold that much; 409 if the key was used for another payment.
 */
export async function recordPayment(
  { funds, effects }: { funds: Funds; effects: Effects },
  draft: PaymentDraft,
  { key, scope, event, maker }: PostingRequest,
): Promise<RecordedPosting> {
  refuseMalformedKey(key);
  const createdAtMs = effects.clock.nowMs();
  const [amount, reference, note] = [
    parseCheckedAmount(draft.amount),
    draft.reference || null,
    draft.note || null,
  ];
  const payment = { id: newId("txn", createdAtMs, effects.random), amount, reference, note, createdAtMs };
  const bodyHash = hashBody(JSON.stringify(["createPayment", String(amount), reference, note]));
  const idempotency = key === null ? null : { scope, key, bodyHash };
  const outcome = await funds.recordPayment(payment, idempotency, event, maker);
  if (outcome.kind === "conflict") throw idempotencyKeyReused("payment");
  if (outcome.kind === "too_large") throw balanceTooLarge();
  return outcome.kind === "pending" ? { pendingId: outcome.id } : { entryId: outcome.id };
}

/** 409: the idempotency key was used for another request. */
export function idempotencyKeyReused(what: "payment" | "import" | "correction"): Refusal {
  const message = `This Idempotency-Key came with another request before; send a new key, or the same ${what}.`;
  return conflict("Idempotency-Key", message, "idempotency_conflict");
}

export function balanceTooLarge(param: "amount" | "payments" = "amount"): Refusal {
  const mend = param === "amount" ? "record a smaller payment" : "record smaller payments";
  return invalid(param, `The balance would pass ${MAX_UNITS}, the most it can hold; ${mend}.`);
}
