import type { GroupStore } from "../members/group-store";
import type { Database } from "./database";

export function createGroupStore(database: Database): GroupStore {
  return {
    async list() {
      const rows = await database.selectFrom("groups").selectAll().orderBy("id").execute();
      return rows.map(({ id, name, created_at_ms: createdAtMs }) => ({ id, name, createdAtMs }));
    },
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
