import type { Transaction } from "../changes/transaction";
import type { ActorRef } from "../roles/actor";

export interface SessionRecord {
  readonly id: string;
  readonly holder: ActorRef;
  readonly hash: string;
  /** The user agent that the client sent. */
  readonly userAgent: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionStore {
  listUnexpired(nowMs: number): Promise<SessionRecord[]>;
  /** Null if there is none. */
  find(id: string): Promise<SessionRecord | null>;
  deleteExpired(transaction: Transaction, nowMs: number): Promise<void>;
  insert(transaction: Transaction, session: SessionRecord): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Ends all sessions of a holder but one. */
  deleteOthers(transaction: Transaction, holder: ActorRef, keptId: string | null): Promise<void>;
  insertSignInToken(
    transaction: Transaction,
    token: { hash: string; adminKeyId: string; expiresAtMs: number },
  ): Promise<void>;
  /** Whether the token is unused and unexpired. */
  isSignInTokenUsable(hash: string, nowMs: number): Promise<boolean>;
  /** Marks an unused, unexpired token as used. @returns the admin key it signs in, or null. */
  redeemSignInToken(
    transaction: Transaction,
    hash: string,
    nowMs: number,
  ): Promise<{ adminKeyId: string } | null>;
  /** Whether anybody has ever signed in or used an admin key. */
  hasAnyoneEntered(): Promise<boolean>;
}
