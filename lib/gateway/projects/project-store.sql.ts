import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly archivedAtMs: number | null;
  /** Whether calls are refused whose tools a provider would run without a price; they are left out otherwise. */
  readonly refusesHostedTools: boolean;
}

/** Which projects to list: those with these ids, or all for null; with or without archived ones. */
interface ProjectFilter {
  readonly ids: readonly string[] | null;
  readonly withArchived: boolean;
}

export function createProjectStore(reads: Reads) {
  return {
    /** All projects; for the cache. */
    async list(): Promise<ProjectRecord[]> {
      const rows = await reads.selectFrom("projects").selectAll().execute();
      return rows.map(toRecord);
    },
    /** Oldest first. */
    pages({ ids, withArchived }: ProjectFilter): PagedList<ProjectRecord> {
      let query = reads.selectFrom("projects").selectAll();
      if (ids) query = query.where("id", "in", ids);
      if (!withArchived) query = query.where("archived_at_ms", "is", null);
      return listById(query, { id: "id", defaultOrder: "asc" }, toRecord);
    },
    /** The names of the active projects. */
    async listActiveNames(): Promise<{ id: string; name: string }[]> {
      return reads
        .selectFrom("projects")
        .select(["id", "name"])
        .where("archived_at_ms", "is", null)
        .execute();
    },
    async find(id: string): Promise<ProjectRecord | null> {
      const row = await reads.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(transaction: Transaction, project: ProjectRecord): Promise<void> {
      const { id, name, createdAtMs: created_at_ms, archivedAtMs: archived_at_ms } = project;
      await within(transaction)
        .insertInto("projects")
        .values({ id, name, created_at_ms, archived_at_ms, hosted_tools: toHostedTools(project) })
        .execute();
    },
    /** Stores its name, and what becomes of tools of providers. */
    async save(transaction: Transaction, project: ProjectRecord): Promise<void> {
      await within(transaction)
        .updateTable("projects")
        .set({ name: project.name, hosted_tools: toHostedTools(project) })
        .where("id", "=", project.id)
        .execute();
    },
    /** Archives an active project, deletes its service accounts and revokes its keys, together. */
    async archive(transaction: Transaction, id: string, atMs: number): Promise<void> {
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

export type ProjectStore = ReturnType<typeof createProjectStore>;

const toHostedTools = ({ refusesHostedTools }: ProjectRecord) => (refusesHostedTools ? "refuse" : null);

function toRecord(row: Tables["projects"]): ProjectRecord {
  const { id, name, created_at_ms: createdAtMs, archived_at_ms: archivedAtMs, hosted_tools } = row;
  return { id, name, createdAtMs, archivedAtMs, refusesHostedTools: hosted_tools === "refuse" };
}
