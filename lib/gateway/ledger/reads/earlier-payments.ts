import { toNano } from "@/lib/money/amount";
import type { EarlierPayment } from "../payments/duplicate-payments";

/**
 * The payments of a list of amounts (JSON, nano-units) that aren't wholly corrected, and those that wait for approval.
 * The writer and readers share it, so that an import's preview and its outcome agree.
 */
export const EARLIER_PAYMENTS = `
  SELECT id, cast(amount AS text) AS amount, reference, note, cast(created_at_ms AS text) AS at_ms, 'no' AS is_pending
  FROM ledger_entries AS entry
  WHERE kind = 'payment' AND amount IN (SELECT value FROM json_each(?1)) AND amount > (
    SELECT coalesce(sum(correction.amount), 0) FROM ledger_entries AS correction
    WHERE correction.kind = 'correction' AND correction.corrects = entry.id)
  UNION ALL
  SELECT id, cast(amount AS text), reference, note, cast(created_at_ms AS text), 'yes'
  FROM pending_payments
  WHERE status = 'pending' AND corrects IS NULL AND amount IN (SELECT value FROM json_each(?1))`;

/** Integers are text, since the writer and readers differ in how they return them. */
export interface EarlierPaymentRow {
  id: string;
  amount: string;
  reference: string | null;
  note: string | null;
  at_ms: string;
  is_pending: "yes" | "no";
}

export function formatAmountList(amounts: readonly bigint[]): string {
  return `[${[...new Set(amounts)].join(",")}]`;
}

export function toEarlierPayment(row: EarlierPaymentRow): EarlierPayment {
  const { id, reference, note } = row;
  return {
    id,
    amount: toNano(BigInt(row.amount)),
    reference,
    note,
    isPending: row.is_pending === "yes",
    createdAtMs: Number(row.at_ms),
  };
}
