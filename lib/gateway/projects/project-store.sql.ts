import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { ProjectRecord, ProjectStore } from "./project-store";

export function createSqliteProjectStore(reads: Reads): ProjectStore {
  return {
    async list() {
      const rows = await reads.selectFrom("projects").selectAll().execute();
      return rows.map(toRecord);
    },
    pages({ ids, withArchived }) {
      let query = reads.selectFrom("projects").selectAll();
      if (ids) query = query.where("id", "in", ids);
      if (!withArchived) query = query.where("archived_at_ms", "is", null);
      return listById(query, { id: "id", defaultOrder: "asc" }, toRecord);
    },
    async find(id) {
      const row = await reads.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(transaction, project) {
      const { id, name, createdAtMs: created_at_ms, archivedAtMs: archived_at_ms } = project;
      await within(transaction)
        .insertInto("projects")
        .values({ id, name, created_at_ms, archived_at_ms })
        .execute();
    },
    async rename(transaction, id, name) {
      await within(transaction).updateTable("projects").set({ name }).where("id", "=", id).execute();
    },
    async archive(transaction, id, atMs) {
      const queries = within(transaction);
      await queries
        .updateTable("projects")
        .set({ archived_at_ms: atMs })
        .where("id", "=", id)
        .where("archived_at_ms", "is", null)
        .execute();
      await queries
        .updateTable("service_accounts")
        .set({ deleted_at_ms: atMs })
        .where("project_id", "=", id)
        .where("deleted_at_ms", "is", null)
        .execute();
      await queries
        .updateTable("project_api_keys")
        .set({ revoked_at_ms: atMs })
        .where("project_id", "=", id)
        .where("revoked_at_ms", "is", null)
        .execute();
    },
  };
}

function toRecord(row: Tables["projects"]): ProjectRecord {
  return { id: row.id, name: row.name, createdAtMs: row.created_at_ms, archivedAtMs: row.archived_at_ms };
}
