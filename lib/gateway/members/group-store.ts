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
  /** The same to be paged through. */
  listed(): PagedList<GroupRecord>;
  /** Who is in a group, in the order of becoming a member of the organization. */
  listedUsers(groupId: string): PagedList<{ readonly id: string }>;
  /** Who is in which group, oldest members first. */
  listUsers(): Promise<{ groupId: string; userId: string }[]>;
  /** Null where there is none. */
  find(id: string): Promise<GroupRecord | null>;
  /** The groups a member is in, the first joined first. */
  listGroupsOf(userId: string): Promise<string[]>;
  insert(transaction: Transaction, group: GroupRecord): Promise<void>;
  rename(transaction: Transaction, id: string, name: string): Promise<void>;
  /** Deletes a group, with its roles; its members stay members. */
  delete(transaction: Transaction, id: string): Promise<void>;
  addUser(transaction: Transaction, groupId: string, userId: string, atMs: number): Promise<void>;
  removeUser(transaction: Transaction, groupId: string, userId: string): Promise<void>;
}
