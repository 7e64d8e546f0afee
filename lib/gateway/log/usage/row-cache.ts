import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";

/** The size of all cached answers of a connection, in rows: some megabytes. */
const MAX_SIZE = 60_000;
/** An answer with more rows would displace too many others. */
const MAX_ROWS = MAX_SIZE / 4;
/** What an answer without rows takes, in rows. */
const OWN_SIZE = 10;

interface Answer {
  readonly version: number;
  readonly rows: readonly unknown[];
  readonly size: number;
}

/** The answers of a connection by their query, the least recently asked first. */
class RowCache {
  readonly #answers = new Map<string, Answer>();
  #size = 0;

  find(name: string, version: number): readonly unknown[] | null {
    const answer = this.#answers.get(name);
    if (!answer) return null;
    this.#drop(name, answer);
    if (answer.version !== version) return null;
    this.put(name, answer);
    return answer.rows;
  }

  put(name: string, answer: Answer): void {
    if (answer.size > MAX_ROWS) return;
    this.#answers.set(name, answer);
    this.#size += OWN_SIZE + answer.size;
    for (const [oldestName, oldest] of this.#answers) {
      if (this.#size <= MAX_SIZE) break;
      this.#drop(oldestName, oldest);
    }
  }

  #drop(name: string, { size }: Answer): void {
    this.#answers.delete(name);
    this.#size -= OWN_SIZE + size;
  }
}

const caches = new WeakMap<Sqlite, RowCache>();

/**
 * Reads rows that change only with `version`, and caches them for the next who asks: sums of a month's finished days
 * are the same for everybody and at each look. Ask for the version in the same transaction.
 */
export function readCached<Row>(
  sqlite: Sqlite,
  query: { readonly sql: string; readonly values: readonly SQLQueryBindings[]; readonly version: number },
): readonly Row[] {
  const { sql, values, version } = query;
  const read = () => sqlite.query<Row, SQLQueryBindings[]>(sql).all(...values);
  return cacheRows(sqlite, { name: JSON.stringify([sql, values]), version }, read);
}

interface ComputedRows {
  readonly name: string;
  readonly version: number;
  /** What a row takes, in rows of the usual size: a few numbers. */
  readonly rowSize?: number;
}

/** Caches rows that are computed from others, until their version changes. */
export function cacheRows<Row>(
  sqlite: Sqlite,
  { name, version, rowSize = 1 }: ComputedRows,
  compute: () => readonly Row[],
): readonly Row[] {
  const cache = caches.get(sqlite) ?? new RowCache();
  caches.set(sqlite, cache);
  const found = cache.find(name, version);
  if (found) return found as readonly Row[];
  const rows = compute();
  cache.put(name, { version, rows, size: rows.length * rowSize });
  return rows;
}
