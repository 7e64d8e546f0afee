import { type Kysely, sql } from "kysely";

/**
 * Tokens of audio in the sums of calls, 0 for calls summed before; and a scheduled change of their prices, as JSON,
 * whose null is no change and whose JSON null removes them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ["call_sums", "call_totals", "sums_by_dimension"]) {
    for (const column of ["audio_prompt_tokens", "audio_completion_tokens"])
      await sql.raw(`ALTER TABLE ${table} ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`).execute(database);
  }
  await sql`ALTER TABLE scheduled_prices ADD COLUMN audio_price TEXT`.execute(database);
}
