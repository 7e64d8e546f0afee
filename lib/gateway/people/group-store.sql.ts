import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { GroupRecord, GroupStore } from "./group-store";

export function createSqliteGroupStore(reads: Reads): GroupStore {
  return {
    async list() {
      const rows = await reads.selectFrom("groups").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    pages: () =>
      listById(reads.selectFrom("groups").selectAll(), { id: "id", defaultOrder: "asc" }, toRecord),
    userPages: (groupId) =>
      listById(
        reads.selectFrom("group_users").select("user_id as id").where("group_id", "=", groupId),
        { id: "user_id", defaultOrder: "asc" },
        (row) => row,
      ),
    async listUsers() {
      const rows = await reads
        .selectFrom("group_users")
        .selectAll()
        .orderBy("created_at_ms")
        .orderBy("group_id")
        .orderBy("user_id")
        .execute();
      return rows.map(({ group_id: groupId, user_id: userId }) => ({ groupId, userId }));
    },
    async find(id) {
      const row = await reads.selectFrom("groups").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async listUserGroups(userId) {
      const rows = await reads
        .selectFrom("group_users")
        .select("group_id")
        .where("user_id", "=", userId)
        .orderBy("created_at_ms")
        .orderBy("group_id")
        .execute();
      return rows.map((row) => row.group_id);
    },
    async insert(transaction, { id, name, createdAtMs }) {
      await within(transaction)
        .insertInto("groups")
        .values({ id, name, created_at_ms: createdAtMs })
        .execute();
    },
    async rename(transaction, id, name) {
      await within(transaction).updateTable("groups").set({ name }).where("id", "=", id).execute();
    },
    async delete(transaction, id) {
      await within(transaction).deleteFrom("groups").where("id", "=", id).execute();
    },
    async addUser(transaction, groupId, userId, atMs) {
      const values = { group_id: groupId, user_id: userId, created_at_ms: atMs };
      await within(transaction).insertInto("group_users").values(values).execute();
    },
    async removeUser(transaction, groupId, userId) {
      await within(transaction)
        .deleteFrom("group_users")
        .where("group_id", "=", groupId)
        .where("user_id", "=", userId)
        .execute();
    },
  };
}

function toRecord({ id, name, created_at_ms: createdAtMs }: Tables["groups"]): GroupRecord {
  return { id, name, createdAtMs };
}
