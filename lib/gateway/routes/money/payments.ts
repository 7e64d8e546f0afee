import type {
  PaymentImport,
  PaymentImportDraft,
  PaymentImportPreview,
} from "@/lib/contract/operations/money/payment-import";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { toKeyCreator } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import type { PlannedPayment, RecordedImport } from "../../ledger/payments/payments";
import { importPayments, previewPaymentImport } from "../../ledger/payments/payments";
import {
  approvePayment,
  declinePayment,
  findPendingPayment,
  type PaymentContext,
  savePaymentApproval,
} from "../../ledger/payments/pending-payments";
import type { PaymentPerson, PendingPayment } from "../../ledger/payments/posting";
import { type ApprovalRefusal, findApprovalRefusal, findPayer } from "../../ledger/payments/second-person";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { readEntry, toPendingPayment, toRefusal } from "./balance";

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
    const waiting = await pendingPayments.findApprovalChange();
    const object = "organization.payment_approval" as const;
    return {
      object,
      currency,
      above: above === null ? null : formatAmount(above),
      waits: waiting && waiting.id,
    };
  };
  /** Describes payments to somebody who may want to approve them. What one maker recorded is judged once. */
  const describeTo = (viewer: PaymentPerson) => {
    const judged = new Map<string, Promise<ApprovalRefusal | null>>();
    return async (payment: PendingPayment) => {
      const { maker, status } = payment;
      if (status !== "pending") return { ...toPendingPayment(payment, currency), approval_refusal: null };
      const judging = judged.get(maker.id) ?? findApprovalRefusal(context, maker, viewer);
      judged.set(maker.id, judging);
      const refusal = await judging;
      return { ...toPendingPayment(payment, currency), approval_refusal: refusal && toRefusal(refusal) };
    };
  };
  return {
    retrievePaymentApproval: describeApproval,
    savePaymentApproval: async ({ body, caller, request }) => {
      await savePaymentApproval(context, request, body, toKeyCreator(caller));
      return describeApproval();
    },
    listPendingPayments: async ({ query: { status, ...page }, caller }) => {
      const describe = describeTo(toKeyCreator(caller));
      const list = await paginate(pendingPayments.pages(status), page, describe);
      return { ...list, data: await Promise.all(list.data) };
    },
    retrievePendingPayment: async ({ params: { pending_payment_id: id }, caller }) =>
      describeTo(toKeyCreator(caller))(await findPendingPayment(context, id)),
    approvePendingPayment: async ({ params: { pending_payment_id: id }, caller, request }) => {
      const person = toKeyCreator(caller);
      const entryId = await approvePayment(context, request, id, person);
      return entryId === null
        ? describeTo(person)(await findPendingPayment(context, id))
        : readEntry(context, entryId);
    },
    declinePendingPayment: async ({ params: { pending_payment_id: id }, body, caller, request }) => {
      const draft = { ...body, person: toKeyCreator(caller) };
      return toPendingPayment(await declinePayment(context, request, id, draft), currency);
    },
    importPayments: async ({ body, headers, caller, request }) => {
      const key = headers.get("idempotency-key");
      const recordRequest = {
        key,
        scope: caller.id,
        event: request.event,
        maker: await findPayer(context, toKeyCreator(caller)),
      };
      return toPaymentImport(await importPayments(context, body, recordRequest), body, currency);
    },
    previewPaymentImport: async ({ body, caller }) => {
      const payer = await findPayer(context, toKeyCreator(caller));
      return toImportPreview(await previewPaymentImport(context, body, payer), currency);
    },
  };
}

/** The payments are in the order of the postings. */
function toPaymentImport(
  { kind, postings }: RecordedImport,
  { payments }: PaymentImportDraft,
  currency: string,
): PaymentImport {
  return {
    object: "payment_import",
    currency,
    repeated: kind === "repeated",
    payments: payments.map(({ amount, reference }, index) => {
      const posting = postings[index];
      if (!posting) throw new Error("An import has a posting for each payment");
      return {
        object: nameObject(posting),
        id: posting.id,
        amount: formatAmount(parseCheckedAmount(amount)),
        reference: reference || null,
      };
    }),
  };
}

function toImportPreview(payments: readonly PlannedPayment[], currency: string): PaymentImportPreview {
  return {
    object: "payment_import.preview",
    currency,
    payments: payments.map(({ needsApproval, duplicate }) => ({
      needs_approval: needsApproval,
      duplicate_of: duplicate?.original
        ? {
            object: nameObject(duplicate.original),
            id: duplicate.original.id,
            created_at: toUnixSeconds(duplicate.original.createdAtMs),
          }
        : null,
      repeats: duplicate?.repeats ?? null,
    })),
  };
}

function nameObject({ isPending }: { readonly isPending: boolean }): "ledger_entry" | "pending_payment" {
  return isPending ? "pending_payment" : "ledger_entry";
}
