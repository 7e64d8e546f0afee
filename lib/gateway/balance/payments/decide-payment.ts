import { otherEvents } from "@/lib/contract/access/audit-events";
import { newId } from "@/lib/contract/ids";
import type { DeclineDraft, PaymentApprovalDraft } from "@/lib/contract/operations/money/payments";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { AuditLogReader } from "../../audit/audit-log-reader";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Effects } from "../../effects";
import { conflict, notFound, Refusal } from "../../refusal";
import type { Funds } from "../funds";
import type { PaymentPerson, PendingPayment, PendingPaymentStore } from "./pending-payment";
import { correctionRefused } from "./record-correction";

const creationEvents = ["api_key.created", "organization.created"];

export interface PaymentContext extends ChangeContext {
  readonly funds: Funds;
  readonly auditLog: Pick<AuditLogReader, "pages">;
  readonly pendingPayments: PendingPaymentStore;
  readonly effects: Effects;
  readonly organization: { readonly currency: string };
}

/**
 * Records a pending payment or correction. A recorded payment is available to calls at once. The writer thread decides
 * with the row locked.
 * @returns the id of the ledger entry.
 * @throws Refusal 403 for a key and for the member who recorded it, by themselves or by a key; 404; 409 if decided.
 */
export async function approvePayment(
  context: PaymentContext,
  { event }: ChangeRequest,
  pendingId: string,
  approver: PaymentPerson,
): Promise<string> {
  if (approver.kind !== "user")
    throw needsSecondPerson("Sign in as a member to approve: a key may be anybody’s.");
  const { correction, maker } = await findPendingPayment(context, pendingId);
  await refuseOwnKey(context, maker, approver);
  const { funds, effects, organization } = context;
  const atMs = effects.clock.nowMs();
  const entryId = newId("txn", atMs, effects.random);
  const outcome = await funds.approvePayment({ pendingId, entryId, approver, atMs, audit: event });
  switch (outcome.kind) {
    case "approved":
      return outcome.entryId;
    case "decided":
      throw alreadyDecided(pendingId, outcome.status);
    case "own":
      throw needsSecondPerson("Somebody else has to approve what you recorded.");
    default:
      throw correctionRefused(outcome, correction?.corrects ?? "", organization.currency);
  }
}

/** A member may still have a key that they created. @throws Refusal 403. */
async function refuseOwnKey(context: PaymentContext, maker: PaymentPerson, approver: PaymentPerson) {
  if (maker.kind === "user") return;
  const isOwn = await isKeyMadeBy(context.auditLog, maker.id, approver.id);
  if (isOwn) throw needsSecondPerson("Somebody else has to approve a payment that a key you made recorded.");
  if (isOwn === null)
    throw needsSecondPerson(
      "The key that recorded this payment is older than the audit log, so nobody can tell whose it is. Decline the payment, and record it as a member.",
    );
}

/** Declines a pending payment, which its recorder may also do. @throws Refusal 404; 409 if it was already decided. */
export async function declinePayment(
  context: PaymentContext,
  request: ChangeRequest,
  id: string,
  { reason, person }: DeclineDraft & { person: PaymentPerson },
): Promise<PendingPayment> {
  const { pendingPayments, effects } = context;
  const { correction } = await findPendingPayment(context, id);
  const event = correction ? { ...request.event, type: otherEvents.correctionDeclined } : request.event;
  return change(context, { ...request, event }, async (transaction) => {
    const pending = await findPendingPayment(context, id);
    const decision = { atMs: effects.clock.nowMs(), person, reason };
    if (!(await pendingPayments.decline(transaction, id, decision))) throw alreadyDecided(id, pending.status);
    return { ...pending, status: "declined", decision: { ...decision, entryId: null } };
  });
}

/** Sets the amount above which a payment needs a second person. Pending payments stay pending. */
export function savePaymentApproval(
  context: PaymentContext,
  request: ChangeRequest,
  { above }: PaymentApprovalDraft,
): Promise<void> {
  const { pendingPayments, effects } = context;
  return change(context, request, (transaction) =>
    pendingPayments.saveApprovalAbove(
      transaction,
      above === null ? null : parseCheckedAmount(above),
      effects.clock.nowMs(),
    ),
  );
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

function needsSecondPerson(message: string): Refusal {
  return new Refusal(403, "permission_error", "needs_second_person", message);
}

function alreadyDecided(id: string, status: string): Refusal {
  return conflict("pending_payment_id", `The payment "${id}" was already ${status}.`, "already_decided");
}

/**
 * Returns whether a member created an admin key, directly or with another key that they created, according to the audit
 * log. Null if the log no longer has the event.
 */
async function isKeyMadeBy(
  auditLog: Pick<AuditLogReader, "pages">,
  keyId: string,
  userId: string,
): Promise<boolean | null> {
  for (let id = keyId; ; ) {
    const [event] = await auditLog.pages({ types: creationEvents, resourceIds: [id] }).read({ limit: 1 });
    if (!event) return null;
    if (event.actor_user_id === userId) return true;
    if (event.actor_key_id === null) return false;
    id = event.actor_key_id;
  }
}
