import { type Kysely, sql } from "kysely";

/** What a receipt shows of a call in progress, stored so that it survives a crash. */
const statements = [
  "ALTER TABLE holds ADD COLUMN stream INTEGER",
  "ALTER TABLE holds ADD COLUMN provider TEXT",
  "ALTER TABLE holds ADD COLUMN trace TEXT",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
