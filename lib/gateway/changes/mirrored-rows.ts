import type { Mirror } from "./mirror";

interface RowStore<Row> {
  /** Every row to be mirrored. */
  list(): Promise<readonly Row[]>;
  /** Null for a row that is not mirrored. */
  find(id: string): Promise<Row | null>;
}

/** The rows of one table in memory, by id, oldest first. */
export class MirroredRows<Row extends { readonly id: string }> {
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

  following(table: string, store: RowStore<Row>): Mirror {
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
