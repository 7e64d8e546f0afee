import { type Kysely, sql } from "kysely";

/** Changes of models' prices at a future time. A null column leaves that price as it is. */
const TABLE = `CREATE TABLE scheduled_prices (
  id TEXT PRIMARY KEY, model TEXT NOT NULL, effective_at_ms INTEGER NOT NULL,
  rate TEXT, input_per_1m TEXT, output_per_1m TEXT, unit_price TEXT, created_at_ms INTEGER NOT NULL,
  UNIQUE (model, effective_at_ms)
) STRICT`;

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(database);
}
