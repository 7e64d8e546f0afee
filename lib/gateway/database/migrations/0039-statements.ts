import { type Kysely, sql } from "kysely";

/**
 * Closed months. A statement covers the entries after `after_seq` up to `last_seq`; `figures` is its text, and `digest`
 * the SHA-256 of that text in hexadecimal.
 */
const statements = [
  `CREATE TABLE statements (
    month TEXT PRIMARY KEY CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]'),
    after_seq INTEGER NOT NULL CHECK (after_seq >= 0), last_seq INTEGER NOT NULL CHECK (last_seq >= after_seq),
    figures TEXT NOT NULL, digest TEXT NOT NULL CHECK (length(digest) = 64), closed_at_ms INTEGER NOT NULL,
    closer_kind TEXT NOT NULL, closer_id TEXT NOT NULL, closer_name TEXT NOT NULL
  ) STRICT`,
  `CREATE TRIGGER statements_are_not_changed BEFORE UPDATE ON statements
    BEGIN SELECT RAISE(ABORT, 'a closed month is immutable'); END`,
  `CREATE TRIGGER statements_are_not_deleted BEFORE DELETE ON statements
    BEGIN SELECT RAISE(ABORT, 'a closed month is immutable'); END`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
