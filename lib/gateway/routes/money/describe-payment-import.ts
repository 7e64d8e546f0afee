import type {
  PaymentImport,
  PaymentImportDraft,
  PaymentImportPreview,
} from "@/lib/contract/operations/money/payment-import";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import type { PlannedPayment, RecordedImport } from "../../ledger/payments/payments";
import { toUnixSeconds } from "../../unix-seconds";

/** The payments are in the order of the postings. */
export function toPaymentImport(
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

export function toImportPreview(payments: readonly PlannedPayment[], currency: string): PaymentImportPreview {
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
