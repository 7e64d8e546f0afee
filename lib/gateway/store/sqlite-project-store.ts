import type { ProjectRecord, ProjectStore } from "../projects/project-store";
import type { Database } from "./database";
import { listById } from "./list-by-id";
import type { Tables } from "./schema";

export function createSqliteProjectStore(database: Database): ProjectStore {
  return {
    async list() {
      const rows = await database.selectFrom("projects").selectAll().execute();
      return rows.map(toRecord);
    },
    listed({ ids, withArchived }) {
      let query = database.selectFrom("projects").selectAll();
      if (ids) query = query.where("id", "in", ids);
      if (!withArchived) query = query.where("archived_at_ms", "is", null);
      return listById(query, { id: "id", usual: "asc" }, toRecord);
    },
    async find(id) {
      const row = await database.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(project) {
      const { id, name, createdAtMs: created_at_ms, archivedAtMs: archived_at_ms } = project;
      await database.insertInto("projects").values({ id, name, created_at_ms, archived_at_ms }).execute();
    },
    async rename(id, name) {
      await database.updateTable("projects").set({ name }).where("id", "=", id).execute();
    },
    archive: (id, atMs) =>
      database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("projects")
          .set({ archived_at_ms: atMs })
          .where("id", "=", id)
          .where("archived_at_ms", "is", null)
          .execute();
        await transaction
          .updateTable("service_accounts")
          .set({ deleted_at_ms: atMs })
          .where("project_id", "=", id)
          .where("deleted_at_ms", "is", null)
          .execute();
        const revoked = await transaction
          .updateTable("project_api_keys")
          .set({ revoked_at_ms: atMs })
          .where("project_id", "=", id)
          .where("revoked_at_ms", "is", null)
          .returning("hash")
          .execute();
        return revoked.map(({ hash }) => hash);
      }),
  };
}

function toRecord(row: Tables["projects"]): ProjectRecord {
  return { id: row.id, name: row.name, createdAtMs: row.created_at_ms, archivedAtMs: row.archived_at_ms };
}
