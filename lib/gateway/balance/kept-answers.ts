import type { Transaction } from "../changes/transaction";
import type { Idempotency } from "./idempotency";

/** What is known of an operation that came with an idempotency key. */
export interface KeptAnswer {
  readonly bodyHash: string;
  /** Null for a payment, which the ledger keeps. */
  readonly requestId: string | null;
  /** JSON; null where the gateway stopped before it replied, or where the reply can no longer be decrypted. */
  readonly reply: string | null;
}

/** The replies of operations that create something, under the idempotency keys they came with. They may hold secrets. */
export interface KeptAnswers {
  /** @returns null where the key has not come after `sinceMs`. */
  find(idempotency: Idempotency, sinceMs: number): Promise<KeptAnswer | null>;
  /** Stores the key before anything is changed. */
  begin(
    transaction: Transaction,
    idempotency: Idempotency,
    at: { requestId: string; atMs: number },
  ): Promise<void>;
  finish(transaction: Transaction, idempotency: Idempotency, reply: string): Promise<void>;
  /** Forgets a key whose request changed nothing. */
  forget(transaction: Transaction, idempotency: Idempotency): Promise<void>;
  /** Whether the request has changed anything; it has its audit event then. */
  hasChanged(requestId: string): Promise<boolean>;
}
