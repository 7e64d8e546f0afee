import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

/** Screens and background work need about 150. Those of rare filters are used once and soon forgotten. */
const KEPT = 200;

interface Prepared {
  readonly statement: Statement<unknown, SQLQueryBindings[]>;
  /** Whether it returns rows. */
  readonly isReader: boolean;
}

/**
 * The statements of one connection, of which the recently used ones are kept: preparing one costs more than most reads
 * do. Integers are returned as numbers.
 */
export class PreparedStatements {
  /** Keyed by their SQL, the most recently used last. */
  readonly #kept = new Map<string, Prepared>();

  constructor(private readonly sqlite: Database) {}

  /** Valid until the next call, which may finalize it. */
  prepare(sql: string): Prepared {
    const cached = this.#kept.get(sql);
    if (cached) this.#kept.delete(sql);
    const prepared = cached ?? this.#prepare(sql);
    this.#kept.set(sql, prepared);
    if (this.#kept.size > KEPT) this.#finalizeOldest();
    return prepared;
  }

  #prepare(sql: string): Prepared {
    const statement = this.sqlite.prepare<unknown, SQLQueryBindings[]>(sql).safeIntegers(false);
    return { statement, isReader: statement.columnNames.length > 0 };
  }

  #finalizeOldest(): void {
    const oldest = this.#kept.entries().next().value;
    if (!oldest) return;
    const [sql, { statement }] = oldest;
    this.#kept.delete(sql);
    statement.finalize();
  }
}
