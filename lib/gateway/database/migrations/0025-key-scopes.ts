import { type Kysely, sql } from "kysely";

/** A project key's limits as JSON lists (null: unlimited), its creator, and the key that it replaced. */
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
