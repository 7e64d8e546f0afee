import type { Database } from "../../database/database";
import type { Fragment } from "../../database/fragment";

/** The size of all cached answers of a connection, in rows: some megabytes. */
const MAX_SIZE = 60_000;
/** An answer with more rows would displace too many others. */
const MAX_ROWS = MAX_SIZE / 4;
/** The size of an answer without rows, in rows. */
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

/** By what a database and its transactions have in common. */
const caches = new WeakMap<object, RowCache>();

/**
 * Reads rows that change only with `version`, and caches them for the next who asks: sums of a month's finished days
 * are the same for everybody and at each look. Ask for the version in the same transaction.
 */
export function readCached<Row>(
  queries: Database,
  statement: Fragment<Row>,
  version: number,
): Promise<readonly Row[]> {
  const compiled = statement.compile(queries);
  const name = JSON.stringify([compiled.sql, compiled.parameters]);
  return cacheRows(queries, { name, version }, async () => (await queries.executeQuery(compiled)).rows);
}

interface ComputedRows {
  readonly name: string;
  readonly version: number;
  /** The size of a row, in rows of the usual size (a few numbers). */
  readonly rowSize?: number;
}

/** Caches rows that are computed from others, until their version changes. */
export async function cacheRows<Row>(
  queries: Database,
  { name, version, rowSize = 1 }: ComputedRows,
  compute: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const { adapter } = queries.getExecutor();
  const cache = caches.get(adapter) ?? new RowCache();
  caches.set(adapter, cache);
  const found = cache.find(name, version);
  if (found) return found as readonly Row[];
  const rows = await compute();
  cache.put(name, { version, rows, size: rows.length * rowSize });
  return rows;
}
