import { type Kysely, sql } from "kysely";

/** The states of single sign-ons that were answered, so that each is accepted once. */
const statements = [
  "CREATE TABLE used_sign_in_states (hash TEXT PRIMARY KEY, used_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE INDEX used_sign_in_states_by_age ON used_sign_in_states(used_at_ms)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
