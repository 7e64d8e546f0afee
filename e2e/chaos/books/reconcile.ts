import { groupBy } from "@/lib/gateway/lists/group-by";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { Received } from "../clients/call-gateway";
import type { SentInvoice } from "../provider/invoice-log";
import type { StageModel } from "../start-stage";
import { findLedgerFaults } from "./find-ledger-faults";
import type { Ledger, LedgerRow } from "./read-ledger";

/** What the clients received, what the provider invoiced, and what the gateway charged. */
export interface Books {
  readonly calls: readonly Received[];
  readonly invoices: ReadonlyMap<string, SentInvoice>;
  readonly ledger: Ledger;
  readonly models: readonly StageModel[];
}

interface Reconciliation {
  readonly faults: string[];
  readonly figures: {
    calls: number;
    complete: number;
    invoiced: number;
    charged: number;
    interrupted: number;
  };
}

/** Compares the three books. Every difference is a fault. */
export function reconcile(books: Books): Reconciliation {
  const { calls, invoices, ledger } = books;
  const charges = ledger.entries.filter(({ kind }) => kind === "charge");
  return {
    faults: [...findKnownFaults(books), ...findUnknownFaults(books, charges), ...findLedgerFaults(ledger)],
    figures: {
      calls: calls.length,
      complete: calls.filter(({ isComplete }) => isComplete).length,
      invoiced: invoices.size,
      charged: charges.length,
      interrupted: charges.filter(({ basis }) => basis === "interrupted").length,
    },
  };
}

/** Checks each call whose request id the client knows. */
function findKnownFaults({ calls, invoices, ledger, models }: Books): string[] {
  const faults: string[] = [];
  const entriesByRequest = groupBy(ledger.entries, ({ requestId }) => requestId);
  for (const call of calls) {
    const { nonce, usages } = call.script;
    const fault = (what: string) => faults.push(`${nonce} (${call.requestId}, ${call.status}): ${what}`);
    if (call.isMangled) fault(`says it is complete and is not: ${call.text.slice(-200)}`);
    const seen = invoices.get(nonce);
    if (seen && seen.sent > countMaxSends(call)) fault(`sent to the provider ${seen.sent} times`);
    const invoice = seen?.isWaived ? undefined : seen;
    const isLost = seen?.isLost === true;
    if (call.requestId === null) continue;
    const entries = entriesByRequest.get(call.requestId) ?? [];
    const charges = entries.filter(({ kind }) => kind === "charge");
    const [charge] = charges;
    if (charges.length > 1) fault(`${charges.length} charges`);
    if (call.isComplete && !charge) fault("complete, and not charged");
    if (invoice && !charge && !isLost) fault("invoiced by the provider, and not charged");
    if (!invoice && charge && charge.basis !== "interrupted")
      fault("charged, and the provider asks nothing for it");
    if (!call.isComplete || !charge || !invoice || usages) continue;
    const booked = entries.reduce((sum, { amount }) => sum + amount, 0n);
    const { promptTokens, completionTokens } = invoice;
    const isPriority = call.more?.service_tier === "priority" && call.script.tier !== "default";
    const due = computeDueCharge(
      { ...call.script, promptTokens, completionTokens, isPriority },
      models,
      call.model,
    );
    if (booked !== due) fault(`${booked} nano-units are booked, ${due} are due`);
    if (charge.basis !== "reported") fault(`its usage was reported, and its charge is ${charge.basis}`);
  }
  return faults;
}

/**
 * Checks the calls whose request id the client doesn't know, per key: one charge per invoice at least, and further ones
 * only if interrupted.
 */
function findUnknownFaults({ calls, invoices, ledger }: Books, charges: readonly LedgerRow[]): string[] {
  const faults: string[] = [];
  const known = new Set(calls.map(({ requestId }) => requestId));
  const callsByKey = groupBy(
    calls.filter(({ requestId }) => requestId === null),
    ({ keyId }) => keyId,
  );
  const chargesByKey = groupBy(
    charges.filter(({ requestId }) => !known.has(requestId)),
    ({ keyId }) => keyId ?? "",
  );
  for (const keyId of new Set([...callsByKey.keys(), ...chargesByKey.keys()])) {
    const due = (callsByKey.get(keyId) ?? []).filter(({ script }) =>
      isInvoiced(invoices.get(script.nonce)),
    ).length;
    const charged = chargesByKey.get(keyId) ?? [];
    const certain = charged.filter(({ basis }) => basis !== "interrupted").length;
    if (charged.length < due)
      faults.push(`${keyId}: ${due} calls invoiced without a reply, ${charged.length} charged`);
    if (certain > due)
      faults.push(`${keyId}: ${certain - due} charges of calls that were never at the provider`);
  }
  if (ledger.holds.length > calls.length)
    faults.push(`${ledger.holds.length} holds for ${calls.length} calls`);
  return faults;
}

const isInvoiced = (invoice: SentInvoice | undefined) =>
  invoice !== undefined && !invoice.isWaived && !invoice.isLost;

/** A call is sent at most once, or twice where it has a fault. */
function countMaxSends({ script: { faults = [] } }: Received): number {
  return faults.length > 0 ? 2 : 1;
}

interface DueUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly cacheWrite1hTokens?: number | undefined;
  readonly searches?: number | undefined;
  readonly isPriority?: boolean;
}

/** The charge for a call in nano-units, computed independently of the gateway's own function. */
export function computeDueCharge(usage: DueUsage, models: readonly StageModel[], id: string): bigint {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const { cacheWrite1hTokens = 0, searches = 0, isPriority = false } = usage;
  const model = models.find((one) => one.id === id);
  if (!model) throw new RangeError(`There is no model ${id}`);
  const { long_context, long_context_from: from = promptTokens, ...base } = model.price;
  const price = promptTokens > from ? { ...base, ...long_context } : base;
  const classes = [
    [promptTokens - cachedTokens - cacheWriteTokens, price.input_per_1m],
    [cachedTokens, price.cached_input_per_1m ?? price.input_per_1m],
    [cacheWriteTokens - cacheWrite1hTokens, price.cache_write_5m_per_1m ?? price.input_per_1m],
    [cacheWrite1hTokens, price.cache_write_1h_per_1m ?? price.input_per_1m],
    [completionTokens, price.output_per_1m],
  ] as const;
  const tokens = classes.reduce((sum, [count, per1m]) => sum + BigInt(count) * parseCheckedAmount(per1m), 0n);
  const perSearch = parseCheckedAmount(base.tools?.web_search ?? "0");
  const list = tokens + BigInt(searches) * perSearch * 1_000_000n;
  const rate = parseCheckedAmount((isPriority && base.priority_rate) || model.rate);
  const scale = 10n ** 15n;
  return (2n * list * rate + scale) / (2n * scale);
}
