import type { Transaction } from "../changes/transaction";
/** Who a session speaks for. */
export interface SessionHolder {
  readonly kind: "admin_key" | "user";
  readonly id: string;
}

export interface SessionRecord {
  readonly id: string;
  readonly holder: SessionHolder;
  readonly hash: string;
  /** What the browser or program called itself. */
  readonly userAgent: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionStore {
  listUnexpired(nowMs: number): Promise<SessionRecord[]>;
  /** Null where there is none. */
  find(id: string): Promise<SessionRecord | null>;
  deleteExpired(transaction: Transaction, nowMs: number): Promise<void>;
  insert(transaction: Transaction, session: SessionRecord): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Ends all sessions of a holder but one. */
  deleteOthers(transaction: Transaction, holder: SessionHolder, keptId: string | null): Promise<void>;
  insertSignInToken(
    transaction: Transaction,
    token: { hash: string; adminKeyId: string; expiresAtMs: number },
  ): Promise<void>;
  /** Marks an unused, unexpired token as used. @returns the admin key it signs in, or null. */
  redeemSignInToken(
    transaction: Transaction,
    hash: string,
    nowMs: number,
  ): Promise<{ adminKeyId: string } | null>;
}
