import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
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

/** A project's restriction: only the listed models, or all but the listed ones. */
export interface ProjectModelPermissions {
  readonly projectId: string;
  readonly mode: "allow_list" | "deny_list";
  readonly modelIds: ReadonlySet<string>;
}

export function createModelPermissionStore(reads: Reads) {
  return {
    async list(): Promise<ProjectModelPermissions[]> {
      const rows = await reads.selectFrom("model_permissions").selectAll().execute();
      return rows.map(toPermissions);
    },
    /** Null for a project that may call every model. */
    async find(projectId: string): Promise<ProjectModelPermissions | null> {
      const row = await reads
        .selectFrom("model_permissions")
        .selectAll()
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row ? toPermissions(row) : null;
    },
    async save(
      transaction: Transaction,
      { projectId: project_id, mode, modelIds }: ProjectModelPermissions,
      updated_at_ms: number,
    ): Promise<void> {
      const values = { mode, model_ids: JSON.stringify([...modelIds]), updated_at_ms };
      await within(transaction)
        .insertInto("model_permissions")
        .values({ project_id, ...values })
        .onConflict((conflict) => conflict.column("project_id").doUpdateSet(values))
        .execute();
    },
    async delete(transaction: Transaction, projectId: string): Promise<void> {
      await within(transaction).deleteFrom("model_permissions").where("project_id", "=", projectId).execute();
    },
  };
}

export type ModelPermissionStore = ReturnType<typeof createModelPermissionStore>;

function toPermissions({
  project_id,
  mode,
  model_ids,
}: Tables["model_permissions"]): ProjectModelPermissions {
  return { projectId: project_id, mode, modelIds: new Set(JSON.parse(model_ids) as string[]) };
}
