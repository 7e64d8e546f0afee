import { type Kysely, sql } from "kysely";

/** The field in which a provider takes its output limit, and the context window of a model. Null: the default. */
const statements = [
  "ALTER TABLE providers ADD COLUMN output_limit_field TEXT",
  "ALTER TABLE models ADD COLUMN context_window INTEGER",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
