import { type Kysely, sql } from "kysely";

/**
 * Tasks' settings besides the prompt, and the media that calls of the last minute carried, for the limits on media
 * after a restart.
 */
const statements = [
  "ALTER TABLE tasks ADD COLUMN settings TEXT",
  `CREATE TABLE carried_media (
     request_id TEXT PRIMARY KEY, project_id TEXT NOT NULL, model TEXT NOT NULL, at_ms INTEGER NOT NULL,
     images INTEGER NOT NULL, audio_megabytes INTEGER NOT NULL
   ) STRICT`,
  "CREATE INDEX carried_media_by_time ON carried_media(at_ms)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
