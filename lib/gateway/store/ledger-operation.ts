import type { AuditContext } from "../audit/audit-context";
import type {
  HoldDraft,
  Payment,
  PaymentOutcome,
  RefusedRequest,
  Release,
  Settlement,
} from "../balance/funds";
import type { Idempotency } from "../balance/idempotency";
import type { StoreClaim } from "./store-guard";

/** What the gateway asks of the writer thread. */
export type LedgerOperation =
  | { readonly kind: "hold"; readonly hold: HoldDraft }
  | { readonly kind: "settle"; readonly settlement: Settlement }
  | { readonly kind: "release"; readonly release: Release }
  | { readonly kind: "checkpoint"; readonly holdId: string; readonly completionTokens: number }
  /** Writes, and changes nothing: whether the store takes it says how it is. */
  | { readonly kind: "probe" }
  | { readonly kind: "refusal"; readonly refused: RefusedRequest }
  | {
      readonly kind: "payment";
      readonly payment: Payment;
      readonly idempotency: Idempotency | null;
      readonly audit: AuditContext | null;
    };

/** `failed`: the store didn't take it and nothing of it is stored. */
export type LedgerResult = { readonly failed: string } | boolean | PaymentOutcome;

/** `operations` is encoded by `encodeOperations`. */
export type ToWriter =
  | { readonly kind: "open"; readonly claim: StoreClaim; readonly nowMs: number; readonly secret: Uint8Array }
  | { readonly kind: "batch"; readonly operations: string }
  | { readonly kind: "close" };

export type FromWriter =
  | { readonly kind: "opened"; readonly posted: bigint; readonly reaped: number }
  | { readonly kind: "batch"; readonly results: readonly LedgerResult[] }
  /** Nobody has asked, and nothing can be written any more. */
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "closed" };
