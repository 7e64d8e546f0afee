import type { LedgerQuery } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { toKeyCreator } from "../../access/caller";
import type { ClockAndRandom } from "../../clock";
import type { Funds } from "../../ledger/funds";
import { recordCorrection } from "../../ledger/payments/corrections";
import { type RecordedPosting, recordPayment } from "../../ledger/payments/payments";
import type { PendingPaymentStore } from "../../ledger/payments/pending-payment-store.sql";
import { findPendingPayment } from "../../ledger/payments/pending-payments";
import { findPayer, type SecondPersonContext } from "../../ledger/payments/second-person";
import type { LedgerFilter } from "../../ledger/reads/ledger-conditions.sql";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import { isRunBy } from "../../log/requests/request-record";
import { notFound } from "../../refusal";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { readEntry, toLedgerEntry } from "./describe-entry";
import { toPendingPayment } from "./describe-pending-payment";

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
