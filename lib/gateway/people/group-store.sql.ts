import type { Selectable } from "kysely";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";

export interface GroupRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** What the directory calls it; null if it gave no name of its own. */
  readonly externalId: string | null;
  /** Whether a directory decides its name and who is in it. */
  readonly isScimManaged: boolean;
}

export function createGroupStore(reads: Reads) {
  return {
    /** Oldest first. */
    async list(): Promise<GroupRecord[]> {
      const rows = await reads.selectFrom("groups").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    /** The same list, by pages. */
    pages: (): PagedList<GroupRecord> =>
      listById(reads.selectFrom("groups").selectAll(), { id: "id", defaultOrder: "asc" }, toRecord),
    /** The members of a group, in the order in which they joined the organization. */
    userPages: (groupId: string): PagedList<{ readonly id: string }> =>
      listById(
        reads.selectFrom("group_users").select("user_id as id").where("group_id", "=", groupId),
        { id: "user_id", defaultOrder: "asc" },
        (row) => row,
      ),
    /** All group memberships, oldest members first. */
    async listUsers(): Promise<{ groupId: string; userId: string }[]> {
      const rows = await reads
        .selectFrom("group_users")
        .selectAll()
        .orderBy("created_at_ms")
        .orderBy("group_id")
        .orderBy("user_id")
        .execute();
      return rows.map(({ group_id: groupId, user_id: userId }) => ({ groupId, userId }));
    },
    /** Null if there is none. */
    async find(id: string): Promise<GroupRecord | null> {
      const row = await reads.selectFrom("groups").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** A member's groups, in the order of joining. */
    async listUserGroups(userId: string): Promise<string[]> {
      const rows = await reads
        .selectFrom("group_users")
        .select("group_id")
        .where("user_id", "=", userId)
        .orderBy("created_at_ms")
        .orderBy("group_id")
        .execute();
      return rows.map((row) => row.group_id);
    },
    async insert(transaction: Transaction, group: GroupRecord): Promise<void> {
      await within(transaction).insertInto("groups").values(toRow(group)).execute();
    },
    async update(transaction: Transaction, group: GroupRecord): Promise<void> {
      await within(transaction).updateTable("groups").set(toRow(group)).where("id", "=", group.id).execute();
    },
    /** Deletes a group with its role assignments; its members stay members. */
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("groups").where("id", "=", id).execute();
    },
    async addUser(transaction: Transaction, groupId: string, userId: string, atMs: number): Promise<void> {
      const values = { group_id: groupId, user_id: userId, created_at_ms: atMs };
      await within(transaction).insertInto("group_users").values(values).execute();
    },
    async removeUser(transaction: Transaction, groupId: string, userId: string): Promise<void> {
      await within(transaction)
        .deleteFrom("group_users")
        .where("group_id", "=", groupId)
        .where("user_id", "=", userId)
        .execute();
    },
  };
}

export type GroupStore = ReturnType<typeof createGroupStore>;

function toRow({ id, name, createdAtMs, externalId, isScimManaged }: GroupRecord) {
  const directory = { external_id: externalId, is_scim_managed: isScimManaged ? 1 : 0 };
  return { id, name, created_at_ms: createdAtMs, ...directory };
}

function toRecord(row: Selectable<Tables["groups"]>): GroupRecord {
  return {
    id: row.id,
    name: row.name,
    createdAtMs: row.created_at_ms,
    externalId: row.external_id,
    isScimManaged: row.is_scim_managed === 1,
  };
}
