import { newId } from "@/lib/contract/ids";
import type { CorrectionDraft } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import type { ClockAndRandom } from "../../clock";
import { hashBody, refuseMalformedKey } from "../../idempotency/idempotency";
import { conflict, invalid, notFound, Refusal } from "../../refusal";
import type { Funds } from "../funds";
import { balanceTooLarge, idempotencyKeyReused, type PostingRequest, type RecordedPosting } from "./payments";
import type { CorrectionFault } from "./posting";

/**
 * Records a correction of a payment or a charge: an entry in the present month that reverses it wholly or in part.
 * Approval and repeats work as for payments.
 * @throws Refusal 400 for more than the uncorrected part; 402 for a payment's correction beyond the available balance;
 * 404; 409 for an entry that can't be corrected, and for an idempotency key of another request.
 */
export async function recordCorrection(
  { funds, runtime, currency }: { funds: Funds; runtime: ClockAndRandom; currency: string },
  corrects: string,
  draft: CorrectionDraft,
  { key, scope, event, maker }: PostingRequest,
): Promise<RecordedPosting> {
  refuseMalformedKey(key);
  const createdAtMs = runtime.clock.nowMs();
  const amount = draft.amount === undefined ? null : parseCheckedAmount(draft.amount);
  const { reason } = draft;
  const correction = { id: newId("txn", createdAtMs, runtime.random), corrects, amount, reason, createdAtMs };
  const fingerprint = ["createCorrection", corrects, amount === null ? null : String(amount), reason];
  const bodyHash = hashBody(JSON.stringify(fingerprint));
  const idempotency = key === null ? null : { scope, key, bodyHash };
  const outcome = await funds.recordCorrection(correction, idempotency, event, maker);
  switch (outcome.kind) {
    case "recorded":
    case "repeated":
      return { entryId: outcome.id };
    case "pending":
      return { pendingId: outcome.id };
    case "conflict":
      throw idempotencyKeyReused("correction");
    default:
      throw correctionRefused(outcome, corrects, currency);
  }
}

/** @param corrects the id of the entry to correct. */
export function correctionRefused(fault: CorrectionFault, corrects: string, currency: string): Refusal {
  switch (fault.kind) {
    case "unknown":
      return notFound("ledger entry", corrects, "entry_id");
    case "not_correctable": {
      const what = fault.entryKind === "correction" ? "itself a correction" : "a provider variance";
      const message = `The entry "${corrects}" is ${what}: only payments and charges can be corrected.`;
      return conflict("entry_id", message, "not_correctable");
    }
    case "exceeds": {
      if (fault.remaining === 0n) {
        const message = `Nothing of the entry "${corrects}" is left to correct.`;
        return conflict("entry_id", message, "not_correctable");
      }
      const remaining = `${formatAmount(fault.remaining)} ${currency}`;
      return invalid(
        "amount",
        `Only ${remaining} of the entry "${corrects}" is not corrected yet: correct at most that.`,
      );
    }
    case "short": {
      const [available, required] = [formatAmount(fault.available), formatAmount(fault.required)];
      const message = `This takes back ${required} ${currency}, and only ${available} ${currency} is available: a correction never makes the balance negative. Correct at most that, or record a payment first.`;
      const balance = { available, required, currency };
      return new Refusal(402, "insufficient_balance", "insufficient_balance", message, { balance });
    }
    case "too_large":
      return balanceTooLarge();
  }
}
