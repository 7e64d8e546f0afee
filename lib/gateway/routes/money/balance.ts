import type { LedgerEntry, LedgerQuery } from "@/lib/contract/operations/money/balance";
import type { PendingPayment as PendingPaymentReply } from "@/lib/contract/operations/money/pending-payment";
import { formatAmount, type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { writePriceFields } from "@/lib/money/price-fields";
import { toKeyCreator } from "../../access/caller";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { Funds } from "../../ledger/funds";
import { type RecordedPosting, recordCorrection, recordPayment } from "../../ledger/payments/payments";
import type { PendingPaymentStore } from "../../ledger/payments/pending-payment-store.sql";
import { findPendingPayment } from "../../ledger/payments/pending-payments";
import type { PendingPayment } from "../../ledger/payments/posting";
import {
  type ApprovalRefusal,
  findPayer,
  type SecondPersonContext,
} from "../../ledger/payments/second-person";
import type { LedgerFilter } from "../../ledger/reads/ledger-conditions.sql";
import type { ChargeDetails, LedgerReader, LedgerRecord } from "../../ledger/reads/ledger-reader.sql";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import { isRunBy } from "../../log/requests/request-record";
import { notFound } from "../../refusal";
import { formatUnits } from "../format-units";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "retrieveBalance"
  | "listLedger"
  | "retrieveLedgerEntry"
  | "retrieveOwnCharge"
  | "createPayment"
  | "createCorrection";

interface Context extends SecondPersonContext {
  ledger: LedgerReader;
  requests: Pick<RequestLogReader, "find">;
  funds: Funds;
  pendingPayments: PendingPaymentStore;
  runtime: ClockAndRandom;
  organization: { readonly currency: string };
}

export function balanceRoutes(context: Context): Handlers<Ids> {
  const { ledger } = context;
  const { currency } = context.organization;
  const describeRecorded = async (posting: RecordedPosting) =>
    "entryId" in posting
      ? readEntry(context, posting.entryId)
      : toPendingPayment(await findPendingPayment(context, posting.pendingId), currency);
  return {
    retrieveBalance: async () => {
      const { posted: postedAmount, held: heldAmount, holds } = await ledger.balance();
      return {
        object: "balance",
        currency,
        available: formatAmount(toNano(postedAmount - heldAmount)),
        held: formatAmount(heldAmount),
        held_calls: holds,
        posted: formatAmount(postedAmount),
      };
    },
    listLedger: ({ query }) =>
      paginate(ledger.pages(toFilter(query)), query, (entry) => toLedgerEntry(entry, currency)),
    retrieveLedgerEntry: async ({ params: { entry_id: id } }) => {
      const entry = await ledger.find(id);
      if (!entry) throw notFound("ledger entry", id, "entry_id");
      return toLedgerEntry(entry, currency);
    },
    retrieveOwnCharge: async ({ params: { request_id: id }, caller }) => {
      const charge = await ledger.findCharge(id);
      const { keyId } = charge?.call ?? {};
      const isOwn = keyId === caller.keyId || (charge && (await isRunBy(context.requests, id, caller.keyId)));
      if (!charge || !isOwn) throw notFound("charge of a call of yours", id, "request_id");
      return toLedgerEntry(charge, currency);
    },
    createPayment: async ({ body, headers, caller, request }) => {
      const key = headers.get("idempotency-key");
      const recordRequest = {
        key,
        scope: caller.id,
        event: request.event,
        maker: await findPayer(context, toKeyCreator(caller)),
      };
      return describeRecorded(await recordPayment(context, body, recordRequest));
    },
    createCorrection: async ({ params: { entry_id: id }, body, headers, caller, request }) => {
      const key = headers.get("idempotency-key");
      const recordRequest = {
        key,
        scope: caller.id,
        event: request.event,
        maker: await findPayer(context, toKeyCreator(caller)),
      };
      return describeRecorded(await recordCorrection({ ...context, currency }, id, body, recordRequest));
    },
  };
}

function toFilter(query: LedgerQuery): LedgerFilter {
  const { start_time: start, end_time: end, min_amount: min, max_amount: max } = query;
  return {
    kind: query.kind,
    projectId: query.project_id,
    model: query.model,
    requestId: query.request_id,
    keyId: query.key_id,
    startMs: start === undefined ? undefined : start * 1000,
    endMs: end === undefined ? undefined : end * 1000,
    minAmount: min === undefined ? undefined : parseCheckedAmount(min),
    maxAmount: max === undefined ? undefined : parseCheckedAmount(max),
    reference: query.reference,
    corrects: query.corrects,
    text: query.text,
  };
}

/** An entry that was just committed, in the API's form. */
export async function readEntry(
  { ledger, organization }: { ledger: LedgerReader; organization: { readonly currency: string } },
  id: string,
): Promise<LedgerEntry> {
  const entry = await ledger.find(id);
  if (!entry) throw new Error(`The ledger does not show the entry ${id} that it committed`);
  return toLedgerEntry(entry, organization.currency);
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
    balance_change: formatAmount(computeBalanceChange(entry)),
    balance_after: entry.balanceAfter === null ? null : formatAmount(entry.balanceAfter),
    created_at: toUnixSeconds(entry.createdAtMs),
    reference: entry.reference,
    note: entry.note,
    paid_on: entry.paidOn,
    corrects: entry.corrects,
    reason: entry.reason,
    corrected: entry.corrected === null ? null : formatAmount(entry.corrected),
    basis: call?.basis ?? null,
    request_id: call?.requestId ?? null,
    project_id: call?.projectId ?? null,
    project_name: call?.projectName ?? null,
    key_id: call?.keyId ?? null,
    key_name: call?.keyName ?? null,
    model: call?.model ?? null,
    ...(call?.batchId && { batch_id: call.batchId }),
    prompt_tokens: call?.promptTokens ?? null,
    completion_tokens: call?.completionTokens ?? null,
    ...(call && call.units !== null && { units: formatUnits(call.units) }),
    ...(call?.audio && {
      audio: { prompt_tokens: call.audio.promptTokens, completion_tokens: call.audio.completionTokens },
    }),
    ...(call && describeClasses(call)),
    price: call?.price ? toPrice(call.price) : null,
  };
}

function computeBalanceChange({ amount, fromAccount, toAccount }: LedgerRecord): Nano {
  if (toAccount === "balance") return amount;
  return fromAccount === "balance" ? toNano(-amount) : ZERO;
}

function describeClasses({ cachedTokens, classUsage }: ChargeDetails) {
  const { cacheWriteTokens, cacheWrite1hTokens, reasoningTokens, isCacheContradicted, toolCalls } =
    classUsage;
  return {
    ...(cachedTokens && { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens && { cache_write_tokens: cacheWriteTokens }),
    ...(cacheWrite1hTokens && { cache_write_1h_tokens: cacheWrite1hTokens }),
    ...(reasoningTokens && { reasoning_tokens: reasoningTokens }),
    ...(isCacheContradicted && { is_cache_contradicted: isCacheContradicted }),
    ...(toolCalls && { tool_calls: toolCalls }),
  };
}

function toPrice({ inputPer1m, outputPer1m, rate, perUnit, audio, classes }: PriceSnapshot) {
  return {
    input_per_1m: formatAmount(inputPer1m),
    output_per_1m: formatAmount(outputPer1m),
    rate: formatAmount(rate),
    ...(classes && writePriceFields(classes, formatAmount)),
    ...(audio && {
      audio: {
        input_per_1m: formatAmount(audio.inputPer1m),
        output_per_1m: formatAmount(audio.outputPer1m),
      },
    }),
    ...(perUnit && { per_unit: { unit: perUnit.unit, amount: formatAmount(perUnit.amount) } }),
  };
}

/** A payment or a correction that needs, or needed, a second person's approval, in the API's form. */
export function toPendingPayment(payment: PendingPayment, currency: string): PendingPaymentReply {
  const { id, status, amount, reference, note, paidOn, createdAtMs, maker } = payment;
  const { correction, approvalChange, decision } = payment;
  return {
    object: "pending_payment",
    id,
    status,
    amount: formatAmount(amount),
    currency,
    reference,
    note,
    paid_on: paidOn,
    corrects: correction?.corrects ?? null,
    correction_reason: correction?.reason ?? null,
    sets_approval: approvalChange && {
      above: approvalChange.above === null ? null : formatAmount(approvalChange.above),
    },
    created_at: toUnixSeconds(createdAtMs),
    recorded_by: maker,
    decided_at: decision && toUnixSeconds(decision.atMs),
    decided_by: decision && decision.person,
    reason: decision?.reason ?? null,
    entry_id: decision?.entryId ?? null,
  };
}

export function toRefusal({ message, untilMs }: ApprovalRefusal): PendingPaymentReply["approval_refusal"] {
  return { message, until: untilMs === null ? null : toUnixSeconds(untilMs) };
}
