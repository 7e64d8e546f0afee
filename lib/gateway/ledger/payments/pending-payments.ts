import { auditEvents, otherEvents } from "@/lib/contract/access/audit-events";
import { newId } from "@/lib/contract/ids";
import type { DeclineDraft, PaymentApprovalDraft } from "@/lib/contract/operations/money/payments";
import { type Nano, parseCheckedAmount } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Transaction } from "../../changes/transactions.sql";
import type { ClockAndRandom } from "../../clock";
import { conflict, notFound, Refusal } from "../../refusal";
import type { Funds } from "../funds";
import { correctionRefused } from "./payments";
import type { PendingPaymentStore } from "./pending-payment-store.sql";
import type { PaymentPerson, PendingPayment } from "./posting";
import { type ApprovalRefusal, findApprovalRefusal, type SecondPersonContext } from "./second-person";

export interface PaymentContext extends ChangeContext, SecondPersonContext {
  readonly funds: Funds;
  readonly pendingPayments: PendingPaymentStore;
  readonly runtime: ClockAndRandom;
  readonly organization: { readonly currency: string };
}

/**
 * Records a pending payment or correction, or makes a pending change of the approval amount. A recorded payment is
 * available to calls at once. The writer thread decides with the row locked.
 * @returns the id of the ledger entry; null for a change of the approval amount.
 * @throws Refusal 403 for a key, and for a member who is not known to be somebody else; 404; 409 if decided.
 */
export async function approvePayment(
  context: PaymentContext,
  request: ChangeRequest,
  pendingId: string,
  approver: PaymentPerson,
): Promise<string | null> {
  const { correction, approvalChange, maker } = await findPendingPayment(context, pendingId);
  const refusal = await findApprovalRefusal(context, maker, approver);
  if (refusal) throw needsSecondPerson(refusal);
  const { funds, runtime, organization } = context;
  const atMs = runtime.clock.nowMs();
  if (approvalChange) {
    const decision = { id: pendingId, person: approver, above: approvalChange.above };
    await makeApprovalChange(context, request, decision);
    return null;
  }
  const entryId = newId("txn", atMs, runtime.random);
  const { event } = request;
  const outcome = await funds.approvePayment({ pendingId, entryId, approver, atMs, audit: event });
  switch (outcome.kind) {
    case "approved":
      return outcome.entryId;
    case "decided":
      throw alreadyDecided(pendingId, outcome.status);
    case "own":
      throw needsSecondPerson({ message: "Somebody else has to approve what you recorded.", untilMs: null });
    default:
      throw correctionRefused(outcome, correction?.corrects ?? "", organization.currency);
  }
}

function makeApprovalChange(
  context: PaymentContext,
  request: ChangeRequest,
  { id, person, above }: { id: string; person: PaymentPerson; above: Nano | null },
): Promise<void> {
  const { pendingPayments, runtime } = context;
  const event = { ...request.event, type: auditEvents.savePaymentApproval };
  return change(context, { ...request, event }, async (transaction) => {
    const atMs = runtime.clock.nowMs();
    if (!(await pendingPayments.approveApprovalChange(transaction, id, { atMs, person })))
      throw alreadyDecided(id, (await findPendingPayment(context, id)).status);
    await saveRule(context, transaction, above);
  });
}

/** Declines a pending payment, which its recorder may also do. @throws Refusal 404; 409 if it was already decided. */
export async function declinePayment(
  context: PaymentContext,
  request: ChangeRequest,
  id: string,
  { reason, person }: DeclineDraft & { person: PaymentPerson },
): Promise<PendingPayment> {
  const { pendingPayments, runtime } = context;
  const { correction, approvalChange } = await findPendingPayment(context, id);
  const type = approvalChange
    ? otherEvents.approvalChangeDeclined
    : correction
      ? otherEvents.correctionDeclined
      : request.event.type;
  const event = { ...request.event, type };
  return change(context, { ...request, event }, async (transaction) => {
    const pending = await findPendingPayment(context, id);
    const decision = { atMs: runtime.clock.nowMs(), person, reason };
    if (!(await pendingPayments.decline(transaction, id, decision))) throw alreadyDecided(id, pending.status);
    return { ...pending, status: "declined", decision: { ...decision, entryId: null } };
  });
}

/**
 * Sets the amount above which a payment needs a second person. A change that lets larger payments pass needs a second
 * person itself, and waits like a payment. Pending payments stay pending.
 * @throws Refusal 409 while another change waits.
 */
export function savePaymentApproval(
  context: PaymentContext,
  request: ChangeRequest,
  { above: text }: PaymentApprovalDraft,
  maker: PaymentPerson,
): Promise<void> {
  const { pendingPayments, runtime } = context;
  const above = text === null ? null : parseCheckedAmount(text);
  // Read before the transaction as well, since the event says whether the change applies at once or waits.
  return pendingPayments.approvalAbove().then((before) => {
    const isLooser = lets(above, before);
    const event = isLooser ? { ...request.event, type: otherEvents.approvalChangeRequested } : request.event;
    return change(context, { ...request, event }, async (transaction) => {
      const present = await pendingPayments.approvalAbove();
      if (lets(above, present) !== isLooser)
        throw conflict("above", "The amount has just changed. Read it again, and repeat the change.");
      if (!isLooser) return saveRule(context, transaction, above);
      const waiting = await pendingPayments.findApprovalChange();
      if (waiting)
        throw conflict(
          "above",
          `A change of the amount waits for approval already: "${waiting.id}". Decline it first.`,
          "approval_change_pending",
        );
      const createdAtMs = runtime.clock.nowMs();
      const id = newId("txn", createdAtMs, runtime.random);
      await pendingPayments.insertApprovalChange(transaction, { id, createdAtMs, maker, above });
    });
  });
}

/** Whether an approval amount lets more pass than another; null lets everything pass. */
function lets(above: Nano | null, before: Nano | null): boolean {
  return before !== null && (above === null || above > before);
}

async function saveRule(
  { pendingPayments, runtime }: PaymentContext,
  transaction: Transaction,
  above: Nano | null,
): Promise<void> {
  const atMs = runtime.clock.nowMs();
  const sinceMs = above === null ? null : ((await pendingPayments.approvalSince()) ?? atMs);
  await pendingPayments.saveApprovalAbove(transaction, { above, sinceMs, atMs });
}

/** @throws Refusal 404. */
export async function findPendingPayment(
  { pendingPayments }: Pick<PaymentContext, "pendingPayments">,
  id: string,
): Promise<PendingPayment> {
  const payment = await pendingPayments.find(id);
  if (!payment) throw notFound("pending payment", id, "pending_payment_id");
  return payment;
}

function needsSecondPerson({ message, untilMs }: ApprovalRefusal): Refusal {
  const end = untilMs === null ? "" : ` You can from ${new Date(untilMs).toISOString().slice(0, 16)}Z on.`;
  return new Refusal(403, "permission_error", "needs_second_person", `${message}${end}`);
}

function alreadyDecided(id: string, status: string): Refusal {
  return conflict("pending_payment_id", `The payment "${id}" was already ${status}.`, "already_decided");
}
