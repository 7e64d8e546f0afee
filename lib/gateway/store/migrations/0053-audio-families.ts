import { type Kysely, sql } from "kysely";

/** The family `audio` became two, `speech` and `transcription`. No model of it could be called, so either is right. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`UPDATE models SET family = 'transcription' WHERE family = 'audio'`.execute(database);
}
