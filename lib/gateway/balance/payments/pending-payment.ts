import type { Nano } from "@/lib/money/amount";
import type { AuditContext } from "../../audit/audit-context";
import type { Transaction } from "../../changes/transaction";
import type { PagedList } from "../../lists/paged-list";

/** The member or key that records or decides a payment. */
export interface PaymentPerson {
  readonly kind: "user" | "admin_api_key" | "project_api_key";
  readonly id: string;
  readonly name: string;
}

/** A payment or a correction that needs, or needed, a second person's approval. */
export interface PendingPayment {
  readonly id: string;
  readonly amount: Nano;
  readonly reference: string | null;
  readonly note: string | null;
  /** What it corrects, and why; null for a payment. */
  readonly correction: { readonly corrects: string; readonly reason: string } | null;
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

export interface PendingPaymentStore {
  /** Newest first. */
  pages(status: PendingPayment["status"] | undefined): PagedList<PendingPayment>;
  find(id: string): Promise<PendingPayment | null>;
  /** @returns false if it was already decided. */
  decline(
    transaction: Transaction,
    id: string,
    decision: { atMs: number; person: PaymentPerson; reason: string },
  ): Promise<boolean>;
  /** The amount above which a payment needs approval; null if no payment does. */
  approvalAbove(): Promise<Nano | null>;
  saveApprovalAbove(transaction: Transaction, above: Nano | null, atMs: number): Promise<void>;
}
