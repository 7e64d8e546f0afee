import type { UserRecord, UserStore } from "../members/user-store";
import type { Database } from "./database";
import { listById } from "./list-by-id";
import type { Tables } from "./schema";

export function createSqliteUserStore(database: Database): UserStore {
  return {
    async list() {
      const rows = await members(database).orderBy("id").execute();
      return rows.map(toRecord);
    },
    listed(emails) {
      const query = emails ? members(database).where("email", "in", emails) : members(database);
      return listById(query, { id: "id", usual: "asc" }, toRecord);
    },
    async insert(user) {
      await database
        .insertInto("users")
        .values({ ...toRow(user), removed_at_ms: null })
        .execute();
    },
    async update(user) {
      await database.updateTable("users").set(toRow(user)).where("id", "=", user.id).execute();
    },
    remove: (id, atMs) =>
      database.transaction().execute(async (transaction) => {
        await transaction.updateTable("users").set({ removed_at_ms: atMs }).where("id", "=", id).execute();
        for (const table of ofMember) {
          await transaction.deleteFrom(table).where("user_id", "=", id).execute();
        }
        await transaction.deleteFrom("sign_in_users").where("id", "=", id).execute();
      }),
  };
}

/** What goes with a member. */
const ofMember = [
  "role_assignments",
  "group_users",
  "sessions",
  "password_resets",
  "sign_in_devices",
  "sign_in_identities",
  "used_sign_in_codes",
] as const;

function members(database: Database) {
  return database.selectFrom("users").selectAll().where("removed_at_ms", "is", null);
}

function toRow({ id, email, name, developerPersona, technicalLevel, createdAtMs }: UserRecord) {
  const notes = { developer_persona: developerPersona, technical_level: technicalLevel };
  return { id, email, name, ...notes, created_at_ms: createdAtMs };
}

function toRecord(row: Tables["users"]): UserRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    developerPersona: row.developer_persona,
    technicalLevel: row.technical_level,
    createdAtMs: row.created_at_ms,
  };
}
