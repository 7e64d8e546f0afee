import { type Kysely, sql } from "kysely";

/** Finds the charges of a model that is priced by the unit, in a stretch of time. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const index =
    "CREATE INDEX ledger_entries_units ON ledger_entries(model, created_at_ms) WHERE unit IS NOT NULL";
  await sql.raw(index).execute(database);
}
