import { DAY_MS } from "@/lib/contract/durations";
import type { Nano } from "@/lib/money/amount";
import type { AuditContext } from "../../changes/audit/audit-event";

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
