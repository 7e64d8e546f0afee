import { formatAmount } from "@/lib/money/amount";
import { toKeyCreator } from "../../access/resolve-actor";
import type { LedgerReader } from "../../balance/ledger/ledger-reader";
import {
  approvePayment,
  declinePayment,
  findPendingPayment,
  type PaymentContext,
  savePaymentApproval,
} from "../../balance/payments/decide-payment";
import { importPayments, previewPaymentImport } from "../../balance/payments/import-payments";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { readEntry } from "./describe-entry";
import { toImportPreview, toPaymentImport } from "./describe-payment-import";
import { toPendingPayment } from "./describe-pending-payment";

type Ids =
  | "retrievePaymentApproval"
  | "savePaymentApproval"
  | "listPendingPayments"
  | "retrievePendingPayment"
  | "approvePendingPayment"
  | "declinePendingPayment"
  | "importPayments"
  | "previewPaymentImport";

interface Context extends PaymentContext {
  readonly ledger: LedgerReader;
}

export function paymentRoutes(context: Context): Handlers<Ids> {
  const { pendingPayments } = context;
  const { currency } = context.organization;
  const describeApproval = async () => {
    const above = await pendingPayments.approvalAbove();
    const object = "organization.payment_approval" as const;
    return { object, currency, above: above === null ? null : formatAmount(above) };
  };
  return {
    retrievePaymentApproval: describeApproval,
    savePaymentApproval: async ({ body, request }) => {
      await savePaymentApproval(context, request, body);
      return describeApproval();
    },
    listPendingPayments: ({ query: { status, ...page } }) =>
      paginate(pendingPayments.pages(status), page, (payment) => toPendingPayment(payment, currency)),
    retrievePendingPayment: async ({ params: { pending_payment_id: id } }) =>
      toPendingPayment(await findPendingPayment(context, id), currency),
    approvePendingPayment: async ({ params: { pending_payment_id: id }, caller, request }) => {
      return readEntry(context, await approvePayment(context, request, id, toKeyCreator(caller)));
    },
    declinePendingPayment: async ({ params: { pending_payment_id: id }, body, caller, request }) => {
      const draft = { ...body, person: toKeyCreator(caller) };
      return toPendingPayment(await declinePayment(context, request, id, draft), currency);
    },
    importPayments: async ({ body, headers, caller, request }) => {
      const key = headers.get("idempotency-key");
      const recordRequest = { key, scope: caller.id, event: request.event, maker: toKeyCreator(caller) };
      return toPaymentImport(await importPayments(context, body, recordRequest), body, currency);
    },
    previewPaymentImport: async ({ body }) =>
      toImportPreview(await previewPaymentImport(context, body), currency),
  };
}
