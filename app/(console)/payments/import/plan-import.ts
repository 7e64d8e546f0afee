import { formatCount } from "@/components/ui/values/group-digits";
import { writeCsvLine } from "@/lib/contract/csv";
import type { PaymentImportPreview } from "@/lib/contract/operations/money/payment-import";
import { type Nano, toNano } from "@/lib/money/amount";

export const MAX_BYTES = 1024 * 1024;
const paymentColumns = ["amount", "reference", "note", "paid_on"] as const;
export type PaymentColumn = (typeof paymentColumns)[number];

export interface ParsedPayment {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly amount: Nano;
  /** The amount as a decimal string. */
  readonly written: string;
  readonly reference: string | null;
  readonly note: string | null;
  /** The day on which it was paid, such as `2026-11-30`. */
  readonly paidOn: string | null;
}

export const TEMPLATE = [
  writeCsvLine(paymentColumns),
  writeCsvLine(["1,234.50", "Invoice 2026-11", "Paid by Acme for October", "2026-11-30"]),
  writeCsvLine(["25.00", "Invoice 2026-12", "", ""]),
].join("");

type Preview = PaymentImportPreview["payments"][number];

/** What happens to a row of the file when the import is recorded. */
export interface PlannedRow {
  readonly payment: ParsedPayment;
  readonly step: "record" | "wait" | "leave out";
  /** The recorded payment that it equals; null if there is none. */
  readonly duplicateId: Preview["duplicate_of"];
  /** The line of an earlier row that it equals; null if there is none. */
  readonly repeatsLine: number | null;
}

export interface ImportPlan {
  readonly rows: readonly PlannedRow[];
  readonly record: Share;
  readonly wait: Share;
  readonly leftOut: Share;
}

interface Share {
  readonly count: number;
  readonly sum: Nano;
}

/** Leaves out the rows that equal another payment, except for those on `allowedLines`. */
export function planImport(
  payments: readonly ParsedPayment[],
  previews: readonly Preview[],
  allowedLines: ReadonlySet<number>,
): ImportPlan {
  const rows = payments.map((payment, index): PlannedRow => {
    const preview = previews[index];
    const duplicateId = preview?.duplicate_of ?? null;
    const repeatsLine = payments[preview?.repeats ?? -1]?.line ?? null;
    const isLeftOut = isDuplicate({ duplicateId, repeatsLine }) && !allowedLines.has(payment.line);
    const step = isLeftOut ? "leave out" : preview?.needs_approval ? "wait" : "record";
    return { payment, step, duplicateId, repeatsLine };
  });
  const computeShare = (step: PlannedRow["step"]): Share => {
    const those = rows.filter((row) => row.step === step);
    const sum = those.reduce((total, { payment }) => total + payment.amount, 0n);
    return { count: those.length, sum: toNano(sum) };
  };
  return {
    rows,
    record: computeShare("record"),
    wait: computeShare("wait"),
    leftOut: computeShare("leave out"),
  };
}

export function isDuplicate({
  duplicateId,
  repeatsLine,
}: Pick<PlannedRow, "duplicateId" | "repeatsLine">): boolean {
  return duplicateId !== null || repeatsLine !== null;
}

/** "1 payment", "1,000 payments" */
export function countPayments(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "payment" : "payments"}`;
}
