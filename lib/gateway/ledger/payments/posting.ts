import { DAY_MS } from "@/lib/contract/durations";
import { formatAmount, type Nano } from "@/lib/money/amount";
import type { AuditChange, AuditContext } from "../../changes/audit/audit-event";
import type { DuplicatePayment } from "./duplicate-payments";

export interface Payment {
  readonly id: string;
  readonly amount: Nano;
  readonly reference: string | null;
  /** A free text by the person who recorded it. */
  readonly note?: string | null;
  /** The day on which it was paid, such as `2026-11-30`; null if nobody said. */
  readonly paidOn?: string | null;
  readonly createdAtMs: number;
}

/** A payment that says whether it may equal an earlier payment, or another one of its import. */
export interface ImportedPayment extends Payment {
  readonly allowsDuplicate: boolean;
}

/** An entry that reverses a payment or a charge, wholly or in part. */
export interface Correction {
  readonly id: string;
  /** The id of the corrected entry. */
  readonly corrects: string;
  /** Positive; null for all that hasn't been corrected yet. */
  readonly amount: Nano | null;
  readonly reason: string;
  readonly createdAtMs: number;
}

/** Why an entry can't be corrected by an amount. */
export type CorrectionFault =
  | { readonly kind: "unknown" }
  /** The entry is a correction or a provider variance. */
  | { readonly kind: "not_correctable"; readonly entryKind: string }
  /** The amount exceeds the entry's uncorrected part. */
  | { readonly kind: "exceeds"; readonly remaining: Nano }
  /** The correction of a payment exceeds the available balance. */
  | { readonly kind: "short"; readonly available: Nano; readonly required: Nano }
  | { readonly kind: "too_large" };

/** The outcome of recording a payment or a correction. */
type PostingOutcome =
  | { readonly kind: "recorded" | "repeated"; readonly id: string }
  /** The payment exceeds the approval amount and waits for a second person, under this id. */
  | { readonly kind: "pending"; readonly id: string }
  /** The payment's idempotency key was used for another request. */
  | { readonly kind: "conflict" };

export type CorrectionOutcome = PostingOutcome | CorrectionFault;

/** `too_large`: the balance would leave the range of a 64-bit integer of nano-units. */
export type PaymentOutcome =
  | PostingOutcome
  | { readonly kind: "duplicates"; readonly duplicates: readonly DuplicatePayment[] }
  | { readonly kind: "too_large" };

/** The outcome of recording several payments: all of them, or none. */
export type ImportOutcome =
  /** The postings are in the order of the payments. */
  | { readonly kind: "recorded" | "repeated"; readonly postings: readonly IdempotentPosting[] }
  | { readonly kind: "duplicates"; readonly duplicates: readonly DuplicatePayment[] }
  | { readonly kind: "conflict" | "too_large" };

/** The ledger entry or the pending payment that a request with an idempotency key made. */
export interface IdempotentPosting {
  readonly id: string;
  /** True if it needs, or needed, a second person's approval. */
  readonly isPending: boolean;
}

export type ApprovalOutcome =
  | { readonly kind: "approved"; readonly entryId: string }
  | { readonly kind: "decided"; readonly status: string }
  /** The approver recorded the payment. */
  | { readonly kind: "own" }
  | CorrectionFault;

/** A payment in the form of the log: the ledger's entry, with its amount as a decimal. */
export function paymentChange({
  id,
  amount,
  reference,
  note = null,
  paidOn,
  createdAtMs,
}: Payment): AuditChange {
  const text = { reference, note, ...(paidOn && { paid_on: paidOn }) };
  const after = { id, amount: formatAmount(amount), ...text, created_at_ms: createdAtMs };
  return { object: "ledger_entries", id, subject_id: null, project_id: null, before: null, after };
}

/** The same for a correction, in the project of the charge that it corrects. */
export function correctionChange(
  { id, corrects, amount, reason, createdAtMs }: Correction & { readonly amount: Nano },
  projectId: string | null,
): AuditChange {
  const after = { id, corrects, amount: formatAmount(amount), reason, created_at_ms: createdAtMs };
  return { object: "ledger_entries", id, subject_id: null, project_id: projectId, before: null, after };
}

/** The member or key that records or decides a payment. */
export interface PaymentPerson {
  readonly kind: "user" | "admin_api_key" | "project_api_key";
  readonly id: string;
  readonly name: string;
}

/** The maker of a payment, with the member or key that stands behind them, whose payments of a day count together. */
export interface PaymentMaker extends PaymentPerson {
  readonly payerId: string;
}

/** A payment, a correction or a change of the approval amount that needs, or needed, a second person's approval. */
export interface PendingPayment {
  readonly id: string;
  readonly amount: Nano;
  readonly reference: string | null;
  readonly note: string | null;
  readonly paidOn: string | null;
  /** What it corrects, and why; null for a payment. */
  readonly correction: { readonly corrects: string; readonly reason: string } | null;
  /** The approval amount that it sets; null for a payment and a correction. Such a row moves no money. */
  readonly approvalChange: { readonly above: Nano | null } | null;
  readonly createdAtMs: number;
  readonly maker: PaymentPerson;
  readonly status: "pending" | "approved" | "declined";
  /** Null while it is pending. */
  readonly decision: {
    readonly atMs: number;
    readonly person: PaymentPerson;
    readonly reason: string | null;
    readonly entryId: string | null;
  } | null;
}

/** An approval, with the ledger entry that it makes. Plain data, since it is sent to the writer thread. */
export interface PaymentApproval {
  readonly pendingId: string;
  readonly entryId: string;
  readonly approver: PaymentPerson;
  readonly atMs: number;
  readonly audit: AuditContext | null;
}

/** The payments and corrections of one payer within this time count together against the approval amount. */
export const COUNTED_MS = DAY_MS;
