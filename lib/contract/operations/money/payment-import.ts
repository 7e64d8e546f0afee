import * as z from "zod/mini";
import { MAX_IMPORTED_PAYMENTS } from "../../bounds";
import { defineOperations } from "../../operation";
import { decimal, unixSeconds } from "../../schema";
import { paymentDraft, recordedPaymentDraft } from "./payments";

/** Room for that many payments with the longest texts in most alphabets. */
const bodyBounds = { bytes: 2 * 1024 * 1024, entries: 10_000 };

const count = [z.minLength(1), z.maxLength(MAX_IMPORTED_PAYMENTS)] as const;

export const paymentImportPreviewDraft = z.strictObject({ payments: z.array(paymentDraft).check(...count) });
export type PaymentImportPreviewDraft = z.output<typeof paymentImportPreviewDraft>;

export const paymentImportDraft = z.strictObject({ payments: z.array(recordedPaymentDraft).check(...count) });
export type PaymentImportDraft = z.output<typeof paymentImportDraft>;

/** What an import would do, and the payments of it that seem to be recorded already. */
const paymentImportPreview = z.object({
  object: z.literal("payment_import.preview"),
  currency: z.string(),
  /** The payments in the order of the request. */
  payments: z.array(
    z.object({
      /** Whether it would wait for a second person. */
      needs_approval: z.boolean(),
      /**
       * The newest payment with the same amount and reference, or without references the same note; null if there is
       * none.
       */
      duplicate_of: z.nullable(
        z.object({
          object: z.enum(["ledger_entry", "pending_payment"]),
          id: z.string(),
          created_at: unixSeconds,
        }),
      ),
      /** The index, from 0, of the first such payment of the request; null if there is none before it. */
      repeats: z.nullable(z.int()),
    }),
  ),
});
export type PaymentImportPreview = z.output<typeof paymentImportPreview>;

const paymentImport = z.object({
  object: z.literal("payment_import"),
  currency: z.string(),
  /** Whether an earlier request with the same Idempotency-Key recorded them, and this one nothing. */
  repeated: z.boolean(),
  /** The payments in the order of the request. */
  payments: z.array(
    z.object({
      /** A ledger entry, or a payment that waits for a second person. */
      object: z.enum(["ledger_entry", "pending_payment"]),
      id: z.string(),
      amount: decimal,
      reference: z.nullable(z.string()),
    }),
  ),
});
export type PaymentImport = z.output<typeof paymentImport>;

export const paymentImportOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.payments.write" },
  {
    importPayments: {
      effect: "pays",
      path: "/organization/payments/import",
      method: "POST",
      bodyBounds,
      summary:
        "Records up to 1,000 payments in one transaction: all of them, or none. Each one above the amount that is set waits for a second person. A payment that equals a recorded one is refused unless it has allow_duplicate. With an Idempotency-Key, a repeat within 24 hours returns the first import.",
      body: paymentImportDraft,
      reply: paymentImport,
    },
    previewPaymentImport: {
      effect: "acts",
      path: "/organization/payments/import/preview",
      method: "POST",
      bodyBounds,
      summary:
        "Says which payments of an import would wait for a second person and which seem to be recorded already. Records nothing.",
      body: paymentImportPreviewDraft,
      reply: paymentImportPreview,
    },
  },
);
