import type { Transaction } from "../changes/transaction";

/** A person at an OpenID provider. The pair never changes and is never reassigned (OpenID Connect Core, 2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Each identity belongs to at most one member, and each member has at most one identity. */
export interface IdentityStore {
  /** The member it belongs to. */
  findMember(identity: Identity): Promise<string | null>;
  isLinked(userId: string): Promise<boolean>;
  /** @returns false, without changing anything, if either is already linked. */
  link(transaction: Transaction, identity: Identity, userId: string, atMs: number): Promise<boolean>;
  /** @returns whether there was one. */
  unlink(transaction: Transaction, userId: string): Promise<boolean>;
}
