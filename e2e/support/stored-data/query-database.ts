import { Database } from "bun:sqlite";

/** Reads a gateway's database directly. */
export function queryDatabase<Row = Record<string, unknown>>(
  gateway: { databasePath: string },
  sql: string,
): Row[] {
  using database = new Database(gateway.databasePath, { readonly: true });
  return database.query<Row, []>(sql).all();
}
