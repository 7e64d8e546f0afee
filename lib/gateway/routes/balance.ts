import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { formatAmount, type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import type { BalanceMirror } from "../balance/balance-mirror";
import type { LedgerReader, LedgerRecord } from "../balance/ledger-reader";
import type { LedgerWriter, Payment } from "../balance/ledger-writer";
import { listLedger } from "../balance/list-ledger";
import { recordPayment } from "../balance/record-payment";
import type { Effects } from "../ports/effects";
import type { Handlers } from "./handler";
import { toUnixSeconds } from "./unix-seconds";

export function balanceRoutes(context: {
  ledger: LedgerReader;
  ledgerWriter: LedgerWriter;
  balance: BalanceMirror;
  effects: Effects;
  organization: { readonly currency: string };
}): Handlers<"retrieveBalance" | "listLedger" | "createPayment"> {
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
    listLedger: async ({ query }) => {
      const { entries, hasMore } = await listLedger(ledger, query);
      return {
        object: "list",
        data: entries.map((entry) => toLedgerEntry(entry, currency)),
        has_more: hasMore,
        next: hasMore ? (entries.at(-1)?.id ?? null) : null,
      };
    },
    createPayment: async ({ body, headers }) => {
      const payment = await recordPayment(context, body, headers.get("idempotency-key"));
      return toLedgerEntry(entryOf(payment), currency);
    },
  };
}

function entryOf({ id, amount, reference, createdAtMs }: Payment): LedgerRecord {
  const accounts = { fromAccount: "payments", toAccount: "balance" };
  return { id, kind: "payment", amount, reference, createdAtMs, ...accounts, call: null };
}

function toLedgerEntry(entry: LedgerRecord, currency: string): LedgerEntry {
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
    created_at: toUnixSeconds(entry.createdAtMs),
    reference: entry.reference,
    basis: call?.basis ?? null,
    request_id: call?.requestId ?? null,
    project_id: call?.projectId ?? null,
    key_id: call?.keyId ?? null,
    model: call?.model ?? null,
    prompt_tokens: call?.promptTokens ?? null,
    completion_tokens: call?.completionTokens ?? null,
    price: call?.price ? toPrice(call.price) : null,
  };
}

function changeOf({ amount, fromAccount, toAccount }: LedgerRecord): Nano {
  if (toAccount === "balance") return amount;
  return fromAccount === "balance" ? toNano(-amount) : ZERO;
}

function toPrice({ inputPer1m, outputPer1m, rate }: PriceSnapshot) {
  return {
    input_per_1m: formatAmount(inputPer1m),
    output_per_1m: formatAmount(outputPer1m),
    rate: formatAmount(rate),
  };
}
