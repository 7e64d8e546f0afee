import type { Database as Sqlite } from "bun:sqlite";
import type { UsageDimension } from "@/lib/contract/operations/usage-summary";

const named: Record<UsageDimension, readonly string[]> = {
  project_id: ["projects"],
  model: [],
  provider: [],
  api_key_id: ["project_api_keys", "admin_api_keys"],
  user_id: ["users"],
};

/** The present names of groups, by their ids. */
export function namesOf(
  sqlite: Sqlite,
  dimension: UsageDimension,
  groups: readonly (string | null)[],
): Map<string, string> {
  const ids = JSON.stringify(groups);
  const rows = named[dimension].flatMap((table) =>
    sqlite
      .query<{ id: string; name: string }, [string]>(
        `SELECT id, name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .all(ids),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
