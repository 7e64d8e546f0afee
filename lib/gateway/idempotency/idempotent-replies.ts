import type { Transaction } from "../changes/transaction";
import type { Idempotency } from "./idempotency";

/** The stored outcome of an operation with an idempotency key. */
export interface IdempotentReply {
  readonly bodyHash: string;
  /** Null for a payment, which the ledger stores. */
  readonly requestId: string | null;
  /** JSON; null if the gateway stopped before it replied, or if the reply can no longer be decrypted. */
  readonly reply: string | null;
}

/** The replies of operations that create something, by idempotency key. They may contain secrets. */
export interface IdempotentReplies {
  /** @returns null if the key was not used after `sinceMs`. */
  find(idempotency: Idempotency, sinceMs: number): Promise<IdempotentReply | null>;
  /** Stores the key before anything is changed. */
  start(
    transaction: Transaction,
    idempotency: Idempotency,
    at: { requestId: string; atMs: number },
  ): Promise<void>;
  finish(transaction: Transaction, idempotency: Idempotency, reply: string): Promise<void>;
  /** Deletes a key whose request changed nothing. */
  forget(transaction: Transaction, idempotency: Idempotency): Promise<void>;
  /** Whether the request has changed anything, and so has an audit event. */
  hasChanged(requestId: string): Promise<boolean>;
}
