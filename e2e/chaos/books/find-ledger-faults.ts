import { groupBy } from "@/lib/gateway/lists/group-by";
import type { Ledger } from "./read-ledger";

/**
 * Checks the ledger by itself: each hold has one charge or release, and the cached balances are the sums of the
 * entries.
 */
export function findLedgerFaults({ entries, holds, accounts }: Ledger): string[] {
  const faults: string[] = [];
  const chargesByRequest = groupBy(
    entries.filter(({ kind }) => kind === "charge"),
    ({ requestId }) => requestId,
  );
  const takenBeyond = new Set(
    entries.filter(({ kind }) => kind === "provider_variance").map(({ requestId }) => requestId),
  );
  for (const { requestId, state, amount } of holds) {
    const charges = chargesByRequest.get(requestId) ?? [];
    chargesByRequest.delete(requestId);
    if (state === "open") faults.push(`${requestId}: its hold is still open`);
    if (charges.length !== (state === "posted" ? 1 : 0))
      faults.push(`${requestId}: its hold is ${state}, and it has ${charges.length} charges`);
    const charged = charges[0]?.amount ?? 0n;
    if (charged > amount) faults.push(`${requestId}: charged ${charged} of a hold of ${amount}`);
    if (takenBeyond.has(requestId) && charged !== amount)
      faults.push(`${requestId}: more than its hold is booked, before the hold is used up`);
  }
  for (const requestId of chargesByRequest.keys()) faults.push(`${requestId}: charged without a hold`);
  const sums = new Map([...accounts.keys()].map((name) => [name, 0n]));
  for (const { amount, fromAccount, toAccount } of entries) {
    sums.set(fromAccount, (sums.get(fromAccount) ?? 0n) - amount);
    sums.set(toAccount, (sums.get(toAccount) ?? 0n) + amount);
  }
  for (const [name, sum] of sums) {
    const cached = accounts.get(name);
    if (cached !== sum) faults.push(`The account ${name} says ${cached}, its entries add up to ${sum}`);
  }
  if ((accounts.get("balance") ?? -1n) < 0n) faults.push("The balance is below zero");
  return faults;
}
