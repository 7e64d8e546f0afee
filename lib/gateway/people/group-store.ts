import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export interface GroupRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

export interface GroupStore {
  /** Oldest first. */
  list(): Promise<GroupRecord[]>;
  /** The same list, by pages. */
  pages(): PagedList<GroupRecord>;
  /** The members of a group, in the order in which they joined the organization. */
  userPages(groupId: string): PagedList<{ readonly id: string }>;
  /** All group memberships, oldest members first. */
  listUsers(): Promise<{ groupId: string; userId: string }[]>;
  /** Null if there is none. */
  find(id: string): Promise<GroupRecord | null>;
  /** A member's groups, in the order of joining. */
  listUserGroups(userId: string): Promise<string[]>;
  insert(transaction: Transaction, group: GroupRecord): Promise<void>;
  rename(transaction: Transaction, id: string, name: string): Promise<void>;
  /** Deletes a group with its role assignments; its members stay members. */
  delete(transaction: Transaction, id: string): Promise<void>;
  addUser(transaction: Transaction, groupId: string, userId: string, atMs: number): Promise<void>;
  removeUser(transaction: Transaction, groupId: string, userId: string): Promise<void>;
}
