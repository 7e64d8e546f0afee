import type { PagedList } from "../ports/paged-list";

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
  insert(group: GroupRecord): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  /** Deletes a group, with its roles; its members stay members. */
  delete(id: string): Promise<void>;
  addUser(groupId: string, userId: string, atMs: number): Promise<void>;
  removeUser(groupId: string, userId: string): Promise<void>;
}
