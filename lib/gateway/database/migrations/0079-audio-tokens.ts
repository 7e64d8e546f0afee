import { type Kysely, sql } from "kysely";

/**
 * Prices of audio tokens, as JSON: `audioPrice` on models, and on a hold or a charge as `audio-columns.ts` writes it.
 * Null where audio costs as much as text.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ["models", "model_prices"])
    await sql.raw(`ALTER TABLE ${table} ADD COLUMN audio_price TEXT`).execute(database);
  for (const table of ["holds", "ledger_entries"])
    await sql.raw(`ALTER TABLE ${table} ADD COLUMN audio TEXT`).execute(database);
}
