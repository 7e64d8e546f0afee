import { groupBy } from "@/lib/gateway/lists/group-by";
import { findErrorCode, type Received } from "../clients/call-gateway";
import { findLedgerFaults } from "./find-ledger-faults";
import { type Books, computeDueCharge } from "./reconcile";

/**
 * Checks calls that were repeated with idempotency keys: each key stands for one charge, and each call with it gets
 * that charge's answer or its id. A call without a key stands for itself.
 */
export function findRepeatFaults(books: Books): string[] {
  const { calls, ledger } = books;
  const faults = findLedgerFaults(ledger);
  const entriesByRequest = groupBy(ledger.entries, ({ requestId }) => requestId);
  let named = 0;
  for (const [key, repeats] of groupBy(
    calls,
    ({ idempotencyKey, script }) => idempotencyKey ?? script.nonce,
  )) {
    const fault = (what: string) => faults.push(`${key}: ${what}`);
    const ids = new Set(repeats.map(findChargedRequest).filter((id) => id !== null));
    named += ids.size;
    const [id = null] = ids;
    if (ids.size !== 1) fault(`it stands for ${ids.size} charges: ${[...ids].join(", ")}`);
    const entries = entriesByRequest.get(id) ?? [];
    const charges = entries.filter(({ kind }) => kind === "charge").length;
    if (charges !== 1) fault(`${id} has ${charges} charges`);
    for (const call of repeats.filter((one) => !isExpected(one)))
      fault(`answered ${call.status}: ${call.text.slice(-200)}`);

    const complete = repeats.filter(({ isComplete }) => isComplete);
    if (new Set(complete.map(({ text }) => text)).size > 1) fault("repeats were answered differently");
    const [answered] = complete;
    const winner = answered ?? repeats.find((call) => findChargedRequest(call) !== null);
    if (winner) faults.push(...findSendingFaults(key, winner, repeats, books));
    const invoice = answered && books.invoices.get(answered.script.nonce);
    if (!answered || !invoice) continue;
    const booked = entries.reduce((sum, { amount }) => sum + amount, 0n);
    const due = computeDueCharge(invoice, books.models, answered.model);
    if (booked !== due) fault(`${booked} nano-units are booked, ${due} are due`);
  }
  const charged = ledger.entries.filter(({ kind }) => kind === "charge").length;
  if (charged !== named) faults.push(`${charged} charges, of which the clients were told ${named}`);
  return faults;
}

/** The request that a reply names as charged. */
export function findChargedRequest({ headers, isComplete, requestId }: Received): string | null {
  return headers?.get("original-request") ?? (isComplete ? requestId : null);
}

/** Whether a call ended as it may. Where the connection broke, there is no error to check. */
function isExpected(call: Received): boolean {
  const code = findErrorCode(call);
  if (call.status === 200) return code === null;
  if (call.status === 409) return code === "idempotency_charged" || code === "idempotency_conflict";
  return call.status === null || (call.status === 502 && call.script.faults !== undefined);
}

/** Finds two bodies sent under one key, and a body that was not sent once more than it failed. */
function findSendingFaults(
  key: string,
  winner: Received,
  repeats: readonly Received[],
  { invoices }: Books,
): string[] {
  const faults: string[] = [];
  const sent = invoices.get(winner.script.nonce)?.sent ?? 0;
  const due = 1 + (winner.script.faults?.length ?? 0);
  if (sent !== due) faults.push(`${key}: sent ${sent} times instead of ${due}`);
  for (const call of repeats.filter(({ script }) => script.nonce !== winner.script.nonce)) {
    if (invoices.has(call.script.nonce)) faults.push(`${key}: sent with two bodies`);
    if (findErrorCode(call) !== "idempotency_conflict")
      faults.push(`${key}: another body is answered ${call.status}: ${call.text.slice(-200)}`);
  }
  return faults;
}
