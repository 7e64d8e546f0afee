import { type Kysely, sql } from "kysely";

/** Computes the balance after each entry that doesn't have it, from the entries themselves. */
export const NOTE_BALANCES = `UPDATE ledger_entries SET balance_after = folded.balance FROM (
    SELECT seq, sum(CASE 'balance' WHEN to_account THEN amount WHEN from_account THEN -amount ELSE 0 END)
      OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS balance FROM ledger_entries
  ) AS folded WHERE folded.seq = ledger_entries.seq AND balance_after IS NULL`;

const statements = [
  // Written with the entry but not covered by its batch's hash: checks of the ledger add the amounts up again.
  "ALTER TABLE ledger_entries ADD COLUMN balance_after INTEGER",
  NOTE_BALANCES,
  `CREATE TRIGGER ledger_entries_keep_their_balance BEFORE UPDATE OF balance_after ON ledger_entries
    WHEN OLD.balance_after IS NOT NULL BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END`,
  // Leaves out charges, which are nearly all entries, so that it adds no cost to them.
  "CREATE INDEX ledger_entries_uncalled ON ledger_entries(kind) WHERE kind <> 'charge'",
  // One row: the last entry up to which the ledger was verified, as JSON.
  "CREATE TABLE ledger_checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), point TEXT NOT NULL) STRICT",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
