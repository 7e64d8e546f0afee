import { type Kysely, sql } from "kysely";

/** What bounds a call: the name a provider is told the most output by, and what a model reads and writes at most. Null: the usual. */
const statements = [
  "ALTER TABLE providers ADD COLUMN output_limit_field TEXT",
  "ALTER TABLE models ADD COLUMN context_window INTEGER",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
