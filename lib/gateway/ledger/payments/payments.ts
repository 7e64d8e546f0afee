import { HOUR_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { CorrectionDraft } from "@/lib/contract/operations/money/balance";
import type {
  PaymentImportDraft,
  PaymentImportPreviewDraft,
} from "@/lib/contract/operations/money/payment-import";
import type { PaymentDraft, RecordedPaymentDraft } from "@/lib/contract/operations/money/payments";
import { formatAmount, MAX_UNITS, NANO_PER_UNIT, parseCheckedAmount } from "@/lib/money/amount";
import type { AuditContext } from "../../changes/audit/audit-event";
import type { ClockAndRandom } from "../../clock";
import { hashBody, refuseMalformedKey } from "../../idempotency/idempotency";
import { conflict, invalid, notFound, Refusal } from "../../refusal";
import type { Funds } from "../funds";
import type { LedgerReader } from "../reads/ledger-reader.sql";
import { type DuplicatePayment, findDuplicates } from "./duplicate-payments";
import type { PendingPaymentStore } from "./pending-payment-store.sql";
import {
  COUNTED_MS,
  type CorrectionFault,
  type ImportedPayment,
  type ImportOutcome,
  type PaymentMaker,
} from "./posting";

/** A request to record a payment or a correction, with its idempotency key. */
interface PostingRequest {
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
 * @throws Refusal 400 if the balance can't hold that much, and if it was paid after today; 409 if the key was used for
 * another payment, and if `allow_duplicate` is false and it equals a recorded one.
 */
export async function recordPayment(
  { funds, runtime }: { funds: Funds; runtime: ClockAndRandom },
  draft: RecordedPaymentDraft,
  { key, scope, event, maker }: PostingRequest,
): Promise<RecordedPosting> {
  refuseMalformedKey(key);
  const createdAtMs = runtime.clock.nowMs();
  refuseFutureDay(draft.paid_on, createdAtMs, "paid_on");
  const payment = { id: newId("txn", createdAtMs, runtime.random), ...toPayment(draft), createdAtMs };
  const { amount, reference, note, paidOn } = payment;
  const allowed = draft.allow_duplicate;
  const fingerprint = [
    "createPayment",
    String(amount),
    reference,
    note,
    ...(allowed === undefined ? [] : [allowed]),
    ...(paidOn === null ? [] : [paidOn]),
  ];
  const bodyHash = hashBody(JSON.stringify(fingerprint));
  const idempotency = key === null ? null : { scope, key, bodyHash };
  const outcome = await funds.recordPayment(
    allowed === undefined ? payment : { ...payment, allowsDuplicate: allowed },
    idempotency,
    event,
    maker,
  );
  if (outcome.kind === "conflict") throw idempotencyKeyReused("payment");
  if (outcome.kind === "too_large") throw balanceTooLarge();
  if (outcome.kind === "duplicates") throw duplicateRefused(outcome.duplicates[0]?.original?.id);
  return outcome.kind === "pending" ? { pendingId: outcome.id } : { entryId: outcome.id };
}

/** 409: the idempotency key was used for another request. */
function idempotencyKeyReused(what: "payment" | "import" | "correction"): Refusal {
  const message = `This Idempotency-Key came with another request before; send a new key, or the same ${what}.`;
  return conflict("Idempotency-Key", message, "idempotency_conflict");
}

function duplicateRefused(id: string | undefined): Refusal {
  const message = `Nothing was recorded: it equals ${id}. Set allow_duplicate to true if this payment arrived as well.`;
  return conflict("allow_duplicate", message, "duplicate_payment");
}

function balanceTooLarge(param: "amount" | "payments" = "amount"): Refusal {
  const mend = param === "amount" ? "record a smaller payment" : "record smaller payments";
  return invalid(param, `The balance would pass ${MAX_UNITS}, the most it can hold; ${mend}.`);
}

interface PreviewContext {
  readonly ledger: Pick<LedgerReader, "balance" | "findPaymentsByAmount">;
  readonly pendingPayments: Pick<PendingPaymentStore, "approvalAbove" | "sumRecorded">;
  readonly runtime: ClockAndRandom;
}

/** Whether a payment would wait for approval, and what it equals. */
export interface PlannedPayment {
  readonly needsApproval: boolean;
  readonly duplicate: DuplicatePayment | null;
}

export type RecordedImport = Extract<ImportOutcome, { kind: "recorded" | "repeated" }>;

/**
 * Records payments in one transaction: all of them, or none. Approval and repeats work as for one payment.
 * @throws Refusal 400 if the balance can't hold that much, and if one was paid after today; 409 if a payment equals an
 * earlier one and doesn't allow it, and if the key was used for another payment.
 */
export async function importPayments(
  { funds, runtime }: { readonly funds: Funds; readonly runtime: ClockAndRandom },
  { payments: drafts }: PaymentImportDraft,
  { key, scope, event, maker }: PostingRequest & { readonly maker: PaymentMaker },
): Promise<RecordedImport> {
  refuseMalformedKey(key);
  const createdAtMs = runtime.clock.nowMs();
  refuseFutureDays(drafts, createdAtMs);
  // Lists of pending payments go by id, and ids of one millisecond are in no order of their own.
  const ids = drafts.map(() => newId("txn", createdAtMs, runtime.random)).toSorted();
  const payments = drafts.map((draft, index): ImportedPayment => {
    const id = ids[index] ?? newId("txn", createdAtMs, runtime.random);
    return { id, createdAtMs, ...toPayment(draft), allowsDuplicate: draft.allow_duplicate ?? false };
  });
  const fingerprint = payments.map(({ amount, reference, note, paidOn, allowsDuplicate }) => [
    String(amount),
    reference,
    note,
    allowsDuplicate,
    ...(paidOn ? [paidOn] : []),
  ]);
  const bodyHash = hashBody(JSON.stringify(["importPayments", fingerprint]));
  const idempotency = key === null ? null : { scope, key, bodyHash };
  const outcome = await funds.importPayments(payments, idempotency, event, maker);
  switch (outcome.kind) {
    case "conflict":
      throw idempotencyKeyReused("import");
    case "too_large":
      throw balanceTooLarge("payments");
    case "duplicates":
      throw duplicatesRefused(outcome.duplicates);
    default:
      return outcome;
  }
}

/** Returns what an import would do. Records nothing. @throws Refusal 400 if the balance can't hold that much. */
export async function previewPaymentImport(
  { ledger, pendingPayments, runtime }: PreviewContext,
  { payments: drafts }: PaymentImportPreviewDraft,
  { payerId }: Pick<PaymentMaker, "payerId">,
): Promise<PlannedPayment[]> {
  refuseFutureDays(drafts, runtime.clock.nowMs());
  const payments = drafts.map(toPayment);
  const amounts = payments.map(({ amount }) => amount);
  const [{ posted }, above, recorded, ofDay] = await Promise.all([
    ledger.balance(),
    pendingPayments.approvalAbove(),
    ledger.findPaymentsByAmount(amounts),
    pendingPayments.sumRecorded(payerId, runtime.clock.nowMs() - COUNTED_MS),
  ]);
  const balanceAfter = amounts.reduce((sum, amount) => sum + amount, BigInt(posted));
  if (balanceAfter > MAX_UNITS * NANO_PER_UNIT) throw balanceTooLarge("payments");
  const duplicates = new Map(
    findDuplicates(payments, recorded).map((duplicate) => [duplicate.index, duplicate]),
  );
  let recordedAmount = BigInt(ofDay);
  return payments.map(({ amount }, index) => {
    const needsApproval = above !== null && recordedAmount + amount > above;
    if (!needsApproval) recordedAmount += amount;
    return { needsApproval, duplicate: duplicates.get(index) ?? null };
  });
}

function toPayment({ amount, reference, note, paid_on }: PaymentDraft) {
  return {
    amount: parseCheckedAmount(amount),
    reference: reference || null,
    note: note || null,
    paidOn: paid_on ?? null,
  };
}

function refuseFutureDays(drafts: readonly PaymentDraft[], nowMs: number): void {
  for (const [index, { paid_on }] of drafts.entries())
    refuseFutureDay(paid_on, nowMs, `payments.${index}.paid_on`);
}

/** A day begins fourteen hours before UTC's in the easternmost time zone. */
const EARLIEST_TODAY_MS = 14 * HOUR_MS;

/** @throws Refusal 400 for a day that has begun nowhere yet. */
function refuseFutureDay(day: string | null | undefined, nowMs: number, param: string): void {
  const today = new Date(nowMs + EARLIEST_TODAY_MS).toISOString().slice(0, 10);
  if (day && day > today)
    throw invalid(param, `${day} is after today: give the day on which it was paid, or leave it out.`);
}

const NAMED = 5;

function duplicatesRefused(duplicates: readonly DuplicatePayment[]): Refusal {
  const descriptions = duplicates.slice(0, NAMED).map(({ index, original, repeats }) => {
    const equalTo = original ? original.id : `payments.${repeats}`;
    return `payments.${index} equals ${equalTo}`;
  });
  const furtherCount = duplicates.length - descriptions.length;
  const summary = `${descriptions.join(", ")}${furtherCount > 0 ? `, and ${furtherCount} more` : ""}`;
  const message = `Nothing was recorded: ${summary}. Leave out what is already recorded, or set allow_duplicate on each payment that is meant.`;
  return conflict(`payments.${duplicates[0]?.index ?? 0}`, message, "duplicate_payment");
}

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
