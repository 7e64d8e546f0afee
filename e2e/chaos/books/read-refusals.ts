import { Database } from "bun:sqlite";

/** The number of counted refusals, and of those that are stored whole. */
export function readRefusals(databasePath: string): { counted: number; kept: number } {
  using database = new Database(databasePath, { readonly: true });
  const row = database
    .query<{ counted: number | null; kept: number }, []>(
      `SELECT (SELECT sum(refusals) FROM refusal_counts) AS counted,
         (SELECT count(*) FROM uncharged_calls WHERE outcome = 'refused') AS kept`,
    )
    .get();
  return { counted: row?.counted ?? 0, kept: row?.kept ?? 0 };
}
