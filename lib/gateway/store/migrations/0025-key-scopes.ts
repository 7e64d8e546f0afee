import { type Kysely, sql } from "kysely";

/** What a project's key is limited to, as JSON lists, null for no limit; who made it; and which key it took the place of. */
const columns = [
  "models TEXT",
  "endpoints TEXT",
  "created_by_kind TEXT",
  "created_by_id TEXT",
  "created_by_name TEXT",
  "rotated_from TEXT",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const column of columns)
    await sql.raw(`ALTER TABLE project_api_keys ADD COLUMN ${column}`).execute(database);
}
