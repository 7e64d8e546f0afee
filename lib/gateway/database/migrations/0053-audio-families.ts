import { type Kysely, sql } from "kysely";

/**
 * Splits the family `audio` into `speech` and `transcription`. No model of it could be called, so either is correct.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`UPDATE models SET family = 'transcription' WHERE family = 'audio'`.execute(database);
}
