import { foldName } from "@/lib/contract/plain-text";
import { type Nano, toNano } from "@/lib/money/amount";

/** The fields by which two payments are the same. */
interface PaymentText {
  readonly amount: Nano;
  readonly reference: string | null;
  readonly note?: string | null;
}

/** A payment in the ledger that isn't wholly corrected, or one that waits for approval. */
export interface EarlierPayment extends PaymentText {
  readonly id: string;
  readonly isPending: boolean;
  readonly createdAtMs: number;
}

/** A payment that equals an earlier one. */
export interface DuplicatePayment {
  /** The index of the payment, from 0. */
  readonly index: number;
  /** The newest equal payment that is recorded; null if there is none. */
  readonly original: {
    readonly id: string;
    readonly isPending: boolean;
    readonly createdAtMs: number;
  } | null;
  /** The index of the first equal payment of the same list; null if there is none before it. */
  readonly repeats: number | null;
}

/**
 * Finds the payments that equal a recorded one or an earlier one of the list: those with the same amount and the same
 * reference, or with the same note if they have no reference. Texts that look alike are the same.
 */
export function findDuplicates(
  payments: readonly PaymentText[],
  recorded: readonly EarlierPayment[],
): DuplicatePayment[] {
  const newest = new Map<string, EarlierPayment>();
  for (const earlier of recorded) {
    const key = buildIdentity(earlier);
    const newestSoFar = newest.get(key);
    if (!newestSoFar || newestSoFar.createdAtMs <= earlier.createdAtMs) newest.set(key, earlier);
  }
  const first = new Map<string, number>();
  return payments.flatMap((payment, index) => {
    const key = buildIdentity(payment);
    const [earlier, repeats] = [newest.get(key), first.get(key) ?? null];
    if (repeats === null) first.set(key, index);
    if (!earlier && repeats === null) return [];
    const original = earlier ? pick(earlier) : null;
    return [{ index, original, repeats }];
  });
}

function pick({ id, isPending, createdAtMs }: EarlierPayment) {
  return { id, isPending, createdAtMs };
}

function buildIdentity({ amount, reference, note }: PaymentText): string {
  const text = reference ? ["reference", reference] : ["note", note ?? ""];
  return JSON.stringify([String(amount), ...text.map(foldName)]);
}

/**
 * The payments of a list of amounts (JSON, nano-units) that aren't wholly corrected, and those that wait for approval.
 * The writer and readers share it, so that an import's preview and its outcome agree.
 */
const selectEarlierPayments = (listedAmounts: string) => `
  SELECT id, cast(amount AS text) AS amount, reference, note, cast(created_at_ms AS text) AS at_ms, 'no' AS is_pending
  FROM ledger_entries AS entry
  WHERE kind = 'payment' AND amount IN (${listedAmounts}) AND amount > (
    SELECT coalesce(sum(correction.amount), 0) FROM ledger_entries AS correction
    WHERE correction.kind = 'correction' AND correction.corrects = entry.id)
  UNION ALL
  SELECT id, cast(amount AS text), reference, note, cast(created_at_ms AS text), 'yes'
  FROM pending_payments
  WHERE status = 'pending' AND corrects IS NULL AND amount IN (${listedAmounts})`;

export const EARLIER_PAYMENTS = selectEarlierPayments("SELECT value FROM json_each(?1)");
/** The same on PostgreSQL. */
export const EARLIER_PAYMENTS_THERE = selectEarlierPayments(
  "SELECT value::bigint FROM json_array_elements_text($1::json) AS listed (value)",
);

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
