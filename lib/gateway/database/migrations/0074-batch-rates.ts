import { type Kysely, sql } from "kysely";

/** A model's rate for batch lines. Null is the rate of live calls; for a scheduled price, no change of it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ["models", "model_prices", "scheduled_prices"])
    await sql.raw(`ALTER TABLE ${table} ADD COLUMN batch_rate TEXT`).execute(database);
}
