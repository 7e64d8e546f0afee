import type { Database as Sqlite } from "bun:sqlite";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";

const nameColumns: Record<UsageDimension, readonly string[]> = {
  project_id: ["projects"],
  model: [],
  provider: [],
  api_key_id: ["project_api_keys", "admin_api_keys"],
  user_id: ["users"],
};

/** The present names of groups, by their ids. */
export function readGroupNames(
  sqlite: Sqlite,
  dimension: UsageDimension,
  groups: readonly (string | null)[],
): Map<string, string> {
  const ids = JSON.stringify(groups);
  const rows = nameColumns[dimension].flatMap((table) =>
    sqlite
      .query<{ id: string; name: string }, [string]>(
        `SELECT id, name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .all(ids),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Reads the project of each key; those of the organization have none. */
export function readKeyProjects(
  sqlite: Sqlite,
  keyIds: readonly (string | null)[],
): Map<string, { id: string; name: string }> {
  const rows = sqlite
    .query<{ keyId: string; id: string; name: string }, [string]>(
      `SELECT key.id AS keyId, project.id, project.name
       FROM project_api_keys key JOIN projects project ON project.id = key.project_id
       WHERE key.id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(keyIds));
  return new Map(rows.map(({ keyId, ...project }) => [keyId, project]));
}
