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
  insert(session: SessionRecord): Promise<void>;
  delete(id: string): Promise<void>;
  /** Ends all sessions of a holder but one. */
  deleteOthers(holder: SessionHolder, keptId: string | null): Promise<void>;
  insertSignInToken(token: { hash: string; adminKeyId: string; expiresAtMs: number }): Promise<void>;
  /** Marks an unused, unexpired token as used. @returns the admin key it signs in, or null. */
  redeemSignInToken(hash: string, nowMs: number): Promise<{ adminKeyId: string } | null>;
}
