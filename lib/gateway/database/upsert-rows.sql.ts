import { type Database, isPostgres } from "./database";
import { compiled } from "./fragment";

type StoredValue = string | number | bigint | null;

interface Upsert {
  readonly table: string;
  readonly columns: readonly string[];
  /** The columns that tell a stored row from others. */
  readonly key: readonly string[];
  /** SQL for the new value of each column of a stored row; `excluded` is the row that was given. */
  readonly updates: Readonly<Record<string, string>>;
}

/** Rows of one statement, so that few statements serve any number. */
const CHUNK_SIZES = [16, 4, 1];

/**
 * Inserts rows, or updates those that are stored. The statements are written once and not built anew for each value,
 * which would take longer than storing it.
 */
export async function upsertRows(
  queries: Database,
  upsert: Upsert,
  rows: readonly (readonly StoredValue[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; ) {
    const size = CHUNK_SIZES.find((rowCount) => rowCount <= rows.length - from) ?? 1;
    const values = rows.slice(from, from + size).flat();
    await queries.executeQuery(compiled(writeStatement(queries, upsert, size), values));
    from += size;
  }
}

const statements = new WeakMap<Upsert, Map<string, string>>();

function writeStatement(queries: Database, upsert: Upsert, size: number): string {
  const known = statements.get(upsert) ?? new Map<string, string>();
  statements.set(upsert, known);
  const numbered = isPostgres(queries);
  const name = `${numbered} ${size}`;
  const statement = known.get(name) ?? buildStatement(upsert, size, numbered);
  known.set(name, statement);
  return statement;
}

function buildStatement({ table, columns, key, updates }: Upsert, size: number, isNumbered: boolean): string {
  const place = (row: number, column: number) => (isNumbered ? `$${row * columns.length + column + 1}` : "?");
  const rows = Array.from(
    { length: size },
    (_, row) => `(${columns.map((_column, index) => place(row, index)).join(", ")})`,
  );
  const sets = Object.entries(updates).map(([column, value]) => `${column} = ${value}`);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${rows.join(", ")}
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${sets.join(", ")}`;
}
