import type { GroupRecord, GroupStore } from "../members/group-store";
import type { Database } from "./database";
import { listById } from "./list-by-id";
import type { Tables } from "./schema";

export function createSqliteGroupStore(database: Database): GroupStore {
  return {
    async list() {
      const rows = await database.selectFrom("groups").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    listed: () => listById(database.selectFrom("groups").selectAll(), { id: "id", usual: "asc" }, toRecord),
    listedUsers: (groupId) =>
      listById(
        database.selectFrom("group_users").select("user_id as id").where("group_id", "=", groupId),
        { id: "user_id", usual: "asc" },
        (row) => row,
      ),
    async listUsers() {
      const rows = await database
        .selectFrom("group_users")
        .selectAll()
        .orderBy("created_at_ms")
        .orderBy("user_id")
        .execute();
      return rows.map(({ group_id: groupId, user_id: userId }) => ({ groupId, userId }));
    },
    async insert({ id, name, createdAtMs }) {
      await database.insertInto("groups").values({ id, name, created_at_ms: createdAtMs }).execute();
    },
    async rename(id, name) {
      await database.updateTable("groups").set({ name }).where("id", "=", id).execute();
    },
    async delete(id) {
      await database.deleteFrom("groups").where("id", "=", id).execute();
    },
    async addUser(groupId, userId, atMs) {
      const values = { group_id: groupId, user_id: userId, created_at_ms: atMs };
      await database.insertInto("group_users").values(values).execute();
    },
    async removeUser(groupId, userId) {
      await database
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
