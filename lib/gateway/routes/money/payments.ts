import { formatAmount } from "@/lib/money/amount";
import { creatorOf } from "../../access/resolve-actor";
import {
  approvePayment,
  declinePayment,
  findPendingPayment,
  type PaymentContext,
  savePaymentApproval,
} from "../../balance/payments/decide-payment";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { entryOfPayment, toLedgerEntry } from "./balance";
import { toPendingPayment } from "./describe-pending-payment";

type Ids =
  | "retrievePaymentApproval"
  | "savePaymentApproval"
  | "listPendingPayments"
  | "retrievePendingPayment"
  | "approvePendingPayment"
  | "declinePendingPayment";

interface Context extends PaymentContext {
  readonly organization: { readonly currency: string };
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
      paginate(pendingPayments.listed(status), page, (pending) => toPendingPayment(pending, currency)),
    retrievePendingPayment: async ({ params: { pending_payment_id: id } }) =>
      toPendingPayment(await findPendingPayment(context, id), currency),
    approvePendingPayment: async ({ params: { pending_payment_id: id }, caller, request }) => {
      const payment = await approvePayment(context, request, id, creatorOf(caller));
      return toLedgerEntry(entryOfPayment(payment), currency);
    },
    declinePendingPayment: async ({ params: { pending_payment_id: id }, body, caller, request }) => {
      const draft = { ...body, person: creatorOf(caller) };
      return toPendingPayment(await declinePayment(context, request, id, draft), currency);
    },
  };
}
