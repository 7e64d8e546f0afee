import type { Column } from "./columns";

interface Index {
  /** The columns or expressions, separated by commas. */
  readonly on: string;
  readonly where?: string;
  readonly unique?: boolean;
}

/** A trigger refuses the statement with a message, or runs statements for each row. */
export type Trigger = {
  /** When and on what, as in "AFTER UPDATE OF status". */
  readonly on: string;
  readonly when?: string;
} & ({ readonly refuse: string } | { readonly run: string });

/** A CHECK of several columns. One with a name can be dropped by a migration, without a copy of the table. */
export type TableCheck = string | { readonly name: string; readonly check: string };

interface TableOptions {
  /** For keys of several columns. */
  readonly primaryKey?: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly checks?: readonly TableCheck[];
  /** Rows are stored in the order of the primary key (`WITHOUT ROWID`), for small rows that are read by it. */
  readonly withoutRowid?: boolean;
  readonly indexes?: Readonly<Record<string, Index>>;
  readonly triggers?: Readonly<Record<string, Trigger>>;
  /** The rows that a new table begins with. */
  readonly rows?: readonly Readonly<Record<string, string | number>>[];
}

export interface Table extends TableOptions {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
}

export function table(name: string, columns: Table["columns"], options: TableOptions = {}): Table {
  return { name, columns, ...options };
}
