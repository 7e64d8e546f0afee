import { type Kysely, sql } from "kysely";

/** Adds the time at which an administrator last closed a circuit breaker. Every process reads it and closes its own. */
const TABLE = `CREATE TABLE circuit_closings (
  provider TEXT NOT NULL, model TEXT NOT NULL, closed_at_ms INTEGER NOT NULL,
  PRIMARY KEY (provider, model)
) STRICT`;

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(database);
}
