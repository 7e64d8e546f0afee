import type { LedgerEntry, LedgerQuery } from "@/lib/contract/operations/balance";
import { amountOf, formatAmount, type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { creatorOf } from "../../access/resolve-actor";
import type { Funds, Payment } from "../../balance/funds";
import type { LedgerFilter, LedgerReader, LedgerRecord } from "../../balance/ledger/ledger-reader";
import { findPendingPayment } from "../../balance/payments/decide-payment";
import type { PendingPaymentStore } from "../../balance/payments/pending-payment";
import { recordPayment } from "../../balance/payments/record-payment";
import type { Effects } from "../../effects";
import { notFound } from "../../refusal";
import { formatUnits } from "../format-units";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toUnixSeconds } from "../unix-seconds";
import { toPendingPayment } from "./describe-pending-payment";

type Ids = "retrieveBalance" | "listLedger" | "retrieveLedgerEntry" | "retrieveOwnCharge" | "createPayment";

export function balanceRoutes(context: {
  ledger: LedgerReader;
  funds: Funds;
  pendingPayments: PendingPaymentStore;
  effects: Effects;
  organization: { readonly currency: string };
}): Handlers<Ids> {
  const { ledger } = context;
  const { currency } = context.organization;
  return {
    retrieveBalance: async () => {
      const { posted, held } = await ledger.balance();
      return {
        object: "balance",
        currency,
        available: formatAmount(toNano(posted - held)),
        held: formatAmount(held),
        posted: formatAmount(posted),
      };
    },
    listLedger: ({ query }) =>
      paginate(ledger.listed(filterOf(query)), query, (entry) => toLedgerEntry(entry, currency)),
    retrieveLedgerEntry: async ({ params: { entry_id: id } }) => {
      const entry = await ledger.find(id);
      if (!entry) throw notFound("ledger entry", id, "entry_id");
      return toLedgerEntry(entry, currency);
    },
    retrieveOwnCharge: async ({ params: { request_id: id }, caller }) => {
      const charge = await ledger.chargeOf(id);
      if (charge?.call?.keyId !== caller.keyId) throw notFound("charge of a call of yours", id, "request_id");
      return toLedgerEntry(charge, currency);
    },
    createPayment: async ({ body, headers, caller, request }) => {
      const key = headers.get("idempotency-key");
      const asked = { key, scope: caller.id, event: request.event, maker: creatorOf(caller) };
      const recorded = await recordPayment(context, body, asked);
      if ("payment" in recorded) {
        const entry = await ledger.find(recorded.payment.id);
        return toLedgerEntry(entry ?? entryOfPayment(recorded.payment), currency);
      }
      return toPendingPayment(await findPendingPayment(context, recorded.pendingId), currency);
    },
  };
}

function filterOf(query: LedgerQuery): LedgerFilter {
  const { start_time: start, end_time: end, min_amount: least, max_amount: most } = query;
  return {
    kind: query.kind,
    projectId: query.project_id,
    model: query.model,
    requestId: query.request_id,
    keyId: query.key_id,
    startMs: start === undefined ? undefined : start * 1000,
    endMs: end === undefined ? undefined : end * 1000,
    minAmount: least === undefined ? undefined : amountOf(least),
    maxAmount: most === undefined ? undefined : amountOf(most),
    reference: query.reference,
    text: query.text,
  };
}

/** A payment as the ledger has it. */
export function entryOfPayment({ id, amount, reference, note = null, createdAtMs }: Payment): LedgerRecord {
  const accounts = { fromAccount: "payments", toAccount: "balance" };
  const entry = { id, kind: "payment" as const, amount, reference, note, createdAtMs };
  return { ...entry, balanceAfter: null, ...accounts, call: null };
}

/** A row of the ledger as it is sent. */
export function toLedgerEntry(entry: LedgerRecord, currency: string): LedgerEntry {
  const { id, kind, amount, call } = entry;
  return {
    object: "ledger_entry",
    id,
    kind,
    amount: formatAmount(amount),
    currency,
    from_account: entry.fromAccount,
    to_account: entry.toAccount,
    balance_change: formatAmount(changeOf(entry)),
    balance_after: entry.balanceAfter === null ? null : formatAmount(entry.balanceAfter),
    created_at: toUnixSeconds(entry.createdAtMs),
    reference: entry.reference,
    note: entry.note,
    basis: call?.basis ?? null,
    request_id: call?.requestId ?? null,
    project_id: call?.projectId ?? null,
    project_name: call?.projectName ?? null,
    key_id: call?.keyId ?? null,
    key_name: call?.keyName ?? null,
    model: call?.model ?? null,
    prompt_tokens: call?.promptTokens ?? null,
    completion_tokens: call?.completionTokens ?? null,
    ...(call && call.units !== null && { units: formatUnits(call.units) }),
    price: call?.price ? toPrice(call.price) : null,
  };
}

function changeOf({ amount, fromAccount, toAccount }: LedgerRecord): Nano {
  if (toAccount === "balance") return amount;
  return fromAccount === "balance" ? toNano(-amount) : ZERO;
}

function toPrice({ inputPer1m, outputPer1m, rate, perUnit }: PriceSnapshot) {
  return {
    input_per_1m: formatAmount(inputPer1m),
    output_per_1m: formatAmount(outputPer1m),
    rate: formatAmount(rate),
    ...(perUnit && { per_unit: { unit: perUnit.unit, amount: formatAmount(perUnit.amount) } }),
  };
}
