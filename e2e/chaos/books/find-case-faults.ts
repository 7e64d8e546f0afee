import { groupBy } from "@/lib/gateway/lists/group-by";
import { findErrorCode, listStreamedTexts, type Received } from "../clients/call-gateway";
import type { FaultCase } from "../fault-case";
import type { LedgerRow } from "./read-ledger";
import type { Books } from "./reconcile";

const BYTES_PER_TOKEN = 4;
const SECRET = "provider-secret";

/** Calls whose results differ from their cases. Calls without a case should have a complete answer. */
export function findCaseFaults(
  { calls, invoices, ledger }: Books,
  casesByCall: ReadonlyMap<string, FaultCase>,
): string[] {
  const chargesByRequest = groupBy(
    ledger.entries.filter(({ kind }) => kind === "charge"),
    ({ requestId }) => requestId,
  );
  return calls.flatMap((call) => {
    const wrong = casesByCall.get(call.script.nonce);
    const sent = invoices.get(call.script.nonce)?.sent ?? 0;
    const found = wrong
      ? [
          ...findReplyFaults(call, wrong),
          ...findChargeFaults(call, wrong, chargesByRequest.get(call.requestId) ?? []),
        ]
      : call.isComplete
        ? []
        : [`answered ${call.status}, though nothing went wrong: ${call.text.slice(-200)}`];
    const [least, most] = wrong?.sent ?? [1, 1];
    if (sent < least || sent > most) found.push(`sent ${sent} times instead of ${least} to ${most}`);
    const name = `${call.script.nonce} (${wrong?.faults.join(", then ") ?? "good"}, ${call.isStream ? "streamed" : "whole"})`;
    return found.map((what) => `${name}: ${what}`);
  });
}

function findReplyFaults(call: Received, { status, streamStatus = status, code }: FaultCase): string[] {
  const faults: string[] = [];
  const due = call.isStream ? streamStatus : status;
  if (call.status !== due) faults.push(`answered ${call.status} instead of ${due}: ${call.text.slice(-200)}`);
  if (call.isComplete !== (code === null)) faults.push(`complete: ${call.isComplete}`);
  const told = findErrorCode(call);
  if (told !== code) faults.push(`the client is told ${told} instead of ${code}`);
  if (call.text.split('{"error"').length > 2) faults.push("told more than one error");
  if (call.text.includes(SECRET)) faults.push("told what the provider said of its secrets");
  return faults;
}

function findChargeFaults(call: Received, { charged }: FaultCase, charges: readonly LedgerRow[]): string[] {
  const words = charged === "what came" ? listStreamedTexts(call.text) : [];
  const [charge] = charges;
  if (words.length === 0) {
    const isRight = (charge !== undefined) === (charged === "in full");
    return isRight ? [] : [`charged ${charge?.amount ?? "nothing"}`];
  }
  const due = BigInt(Math.max(words.length, Math.ceil(Buffer.byteLength(words.join("")) / BYTES_PER_TOKEN)));
  if (charge?.completionTokens === due && charge.basis === "estimated" && charge.amount > 0n) return [];
  return [`charged for ${charge?.completionTokens} tokens, ${charge?.basis}, and ${due} came`];
}
