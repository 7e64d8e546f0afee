import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

/** A member of the organization. */
export interface UserRecord {
  readonly id: string;
  /** The address in lower case, which no other user has. */
  readonly email: string;
  readonly name: string;
  readonly developerPersona: string | null;
  readonly technicalLevel: string | null;
  readonly createdAtMs: number;
}

export interface UserStore {
  /** The members who were not removed, oldest first. */
  list(): Promise<UserRecord[]>;
  /** The same list, by pages: of these addresses, or of all. */
  pages(emails: readonly string[] | undefined): PagedList<UserRecord>;
  /** Null for a removed member and for an unknown id. */
  find(id: string): Promise<UserRecord | null>;
  insert(transaction: Transaction, user: UserRecord): Promise<void>;
  update(transaction: Transaction, user: UserRecord): Promise<void>;
  /** Ends a member's roles, groups and sessions. The name is kept for past calls and events. */
  remove(transaction: Transaction, id: string, atMs: number): Promise<void>;
}
