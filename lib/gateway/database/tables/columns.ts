/** What a column's values mean. Each dialect stores a meaning in a type of its own. */
export type ColumnMeaning =
  | "text"
  /** A text that is parsed as JSON. It is stored as it was written, since some of it is hashed. */
  | "json"
  | "integer"
  /** Unix milliseconds, or milliseconds at which a bucket of time begins. */
  | "time"
  /** Money or a price, in nano-units: up to 64 bits, beyond what a number holds exactly. */
  | "nano"
  /** 0 or 1. */
  | "boolean"
  | "real"
  | "blob";

interface ColumnFacts {
  readonly meaning: ColumnMeaning;
  readonly isNullable?: boolean;
  readonly isPrimaryKey?: boolean;
  readonly isUnique?: boolean;
  readonly defaultValue?: string | number;
  readonly check?: string;
  readonly references?: ColumnReference;
  readonly generatedAs?: string;
}

interface ColumnReference {
  readonly table: string;
  readonly column: string;
  /** Whether the row is deleted with the one that it refers to, and whether the reference is checked at the commit. */
  readonly how?: "cascade" | "deferred";
}

/** A column of a table: never null unless it is said. Each method returns another column, with one more property. */
export class Column {
  constructor(readonly facts: ColumnFacts) {}

  nullable(): Column {
    return this.#with({ isNullable: true });
  }

  primaryKey(): Column {
    return this.#with({ isPrimaryKey: true });
  }

  unique(): Column {
    return this.#with({ isUnique: true });
  }

  default(defaultValue: string | number): Column {
    return this.#with({ defaultValue });
  }

  /** `check` is an SQL condition that no row's value may make false. */
  check(check: string): Column {
    return this.#with({ check });
  }

  /** `target` is "table.column". */
  references(target: `${string}.${string}`, how?: ColumnReference["how"]): Column {
    const [table = "", column = ""] = target.split(".");
    return this.#with({ references: { table, column, how } });
  }

  /** The column is computed from the row's others by this SQL expression, and is not stored. */
  generatedAs(generatedAs: string): Column {
    return this.#with({ generatedAs });
  }

  #with(facts: Partial<ColumnFacts>): Column {
    return new Column({ ...this.facts, ...facts });
  }
}

export const text = new Column({ meaning: "text" });
export const json = new Column({ meaning: "json" });
export const integer = new Column({ meaning: "integer" });
export const time = new Column({ meaning: "time" });
export const nano = new Column({ meaning: "nano" });
export const boolean = new Column({ meaning: "boolean" });
export const real = new Column({ meaning: "real" });
export const blob = new Column({ meaning: "blob" });
