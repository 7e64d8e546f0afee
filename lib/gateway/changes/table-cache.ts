/** A row that a committed change inserted, updated or deleted. */
export interface ChangedRow {
  readonly table: string;
  readonly id: string;
  /** The member or group of a row that joins one to something else, such as a role assignment. */
  readonly subjectId: string | null;
  readonly projectId: string | null;
}

/** A committed change. Numbers are consecutive across all processes. */
export interface CommittedChange {
  readonly number: number;
  readonly touched: readonly ChangedRow[];
}

/** A copy of stored rows in memory, so that no call has to read the store. */
export interface TableCache {
  /** Reads everything again, and replaces the copy in one step. */
  load(): Promise<void>;
  /** By table: reads one touched row again. */
  readonly reread: Readonly<Record<string, (row: ChangedRow) => Promise<void>>>;
  /** By table, for one of which thousands of rows may change at once: reads a few hundred again together. */
  readonly rereadMany?: Readonly<Record<string, (rows: readonly ChangedRow[]) => Promise<void>>>;
}

interface RowStore<Row> {
  /** Every row to be cached. */
  list(): Promise<readonly Row[]>;
  /** Null for a row that is not cached. */
  find(id: string): Promise<Row | null>;
}

/** The rows of one table in memory, by id, oldest first. */
export class CachedRows<Row extends { readonly id: string }> {
  #byId: Map<string, Row>;

  constructor(rows: Iterable<Row> = []) {
    this.#byId = byId(rows);
  }

  find(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  list(): Row[] {
    return [...this.#byId.values()];
  }

  following(table: string, store: RowStore<Row>): TableCache {
    return {
      load: async () => {
        this.#byId = byId(await store.list());
      },
      reread: {
        [table]: async ({ id }) => {
          const row = await store.find(id);
          if (row) this.#byId.set(id, row);
          else this.#byId.delete(id);
        },
      },
    };
  }
}

function byId<Row extends { readonly id: string }>(rows: Iterable<Row>): Map<string, Row> {
  return new Map(Array.from(rows, (row) => [row.id, row]));
}
