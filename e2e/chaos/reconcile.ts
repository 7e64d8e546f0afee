import { amountOf } from "@/lib/money/amount";
import type { Received } from "./call-gateway";
import { groupBy } from "./group-by";
import type { Invoice } from "./invoice-log";
import type { Ledger, LedgerRow } from "./read-ledger";
import type { StageModel } from "./start-stage";

export interface Books {
  readonly calls: readonly Received[];
  readonly invoices: ReadonlyMap<string, Invoice>;
  readonly ledger: Ledger;
  readonly models: readonly StageModel[];
}

export interface Reconciliation {
  readonly faults: string[];
  readonly complete: number;
  readonly invoiced: number;
  readonly charges: number;
  readonly interrupted: number;
}

/** Lays the three books beside one another; what they disagree on is a fault. */
export function reconcile(books: Books): Reconciliation {
  const { calls, invoices, ledger } = books;
  const charges = ledger.entries.filter(({ kind }) => kind === "charge");
  return {
    faults: [
      ...faultsOfCalls(
        books,
        groupBy(charges, ({ requestId }) => requestId),
      ),
      ...faultsOfStrangers(books, charges),
      ...faultsOfLedger(ledger),
    ],
    complete: calls.filter(({ isComplete }) => isComplete).length,
    invoiced: invoices.size,
    charges: charges.length,
    interrupted: charges.filter(({ basis }) => basis === "interrupted").length,
  };
}

/** The calls whose request id the client knows, one by one. */
function faultsOfCalls(
  { calls, invoices, models }: Books,
  chargesOf: ReadonlyMap<string | null, readonly LedgerRow[]>,
): string[] {
  const faults: string[] = [];
  for (const call of calls) {
    const { nonce } = call.script;
    const fault = (what: string) => faults.push(`${nonce} (${call.requestId}): ${what}`);
    if (call.isMangled) fault(`says it is complete and is not: ${call.text.slice(-200)}`);
    if (call.requestId === null) continue;
    const charges = chargesOf.get(call.requestId) ?? [];
    const invoice = invoices.get(nonce);
    if (charges.length > 1) fault(`${charges.length} charges`);
    const charge = charges[0];
    if (call.isComplete && !charge) fault("complete, and not charged");
    if (invoice && !charge) fault(`invoiced by the provider, and not charged; status ${call.status}`);
    if (!invoice && charge && charge.basis !== "interrupted") fault("charged, and never at the provider");
    if (call.isComplete && charge && invoice && !call.script.usages) {
      const due = priceOf(invoice, models, call.model);
      if (charge.amount !== due) fault(`charged ${charge.amount} nano-units, due are ${due}`);
      if (charge.basis !== "reported") fault(`its usage was reported, and its charge is ${charge.basis}`);
    }
  }
  return faults;
}

/** The calls of which the client knows no id, counted for each key: as many charges as the provider has invoices, at least. */
function faultsOfStrangers({ calls, invoices, ledger }: Books, charges: readonly LedgerRow[]): string[] {
  const known = new Set(calls.map(({ requestId }) => requestId));
  const faults: string[] = [];
  const unknownCalls = groupBy(
    calls.filter(({ requestId }) => requestId === null),
    ({ keyId }) => keyId,
  );
  const unknownCharges = groupBy(
    charges.filter(({ requestId }) => !known.has(requestId)),
    ({ keyId }) => keyId,
  );
  for (const keyId of new Set([...unknownCalls.keys(), ...unknownCharges.keys()])) {
    const due = (unknownCalls.get(keyId ?? "") ?? []).filter(({ script }) =>
      invoices.has(script.nonce),
    ).length;
    const charged = unknownCharges.get(keyId) ?? [];
    const excess = charged.filter(({ basis }) => basis !== "interrupted").length - due;
    if (charged.length < due)
      faults.push(`${keyId}: ${due} calls invoiced without a reply, ${charged.length} charged`);
    if (excess > 0) faults.push(`${keyId}: ${excess} charges for calls that were never at the provider`);
  }
  const asked = calls.length;
  if (ledger.holds.length > asked) faults.push(`${ledger.holds.length} holds for ${asked} calls`);
  return faults;
}

/** The ledger by itself: holds and charges one to one, cached balances the sums of the entries. */
function faultsOfLedger({ entries, holds, accounts }: Ledger): string[] {
  const faults: string[] = [];
  const chargesOf = groupBy(
    entries.filter(({ kind }) => kind === "charge"),
    ({ requestId }) => requestId,
  );
  for (const { requestId, state, amount } of holds) {
    const charges = chargesOf.get(requestId) ?? [];
    chargesOf.delete(requestId);
    if (state === "open") faults.push(`${requestId}: its hold is still open`);
    if (charges.length !== (state === "posted" ? 1 : 0)) {
      faults.push(`${requestId}: its hold is ${state}, and it has ${charges.length} charges`);
    }
    if (charges.some((charge) => charge.amount > amount)) faults.push(`${requestId}: charged above its hold`);
  }
  for (const requestId of chargesOf.keys()) faults.push(`${requestId}: charged without a hold`);
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

/** What a call costs, in nano-units: worked out here once more, and not by the gateway's own function. */
export function priceOf(
  usage: Pick<Invoice, "promptTokens" | "completionTokens">,
  models: readonly StageModel[],
  id: string,
): bigint {
  const model = models.find((one) => one.id === id);
  if (!model) throw new RangeError(`There is no model ${id}`);
  const { input_per_1m, output_per_1m } = model.price;
  const list =
    BigInt(usage.promptTokens) * amountOf(input_per_1m) +
    BigInt(usage.completionTokens) * amountOf(output_per_1m);
  const scale = 10n ** 15n;
  return (2n * list * amountOf(model.rate) + scale) / (2n * scale);
}
