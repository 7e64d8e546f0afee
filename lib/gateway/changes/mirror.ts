/** A row that a committed change inserted, updated or deleted. */
export interface ChangedRow {
  readonly table: string;
  readonly id: string;
  /** The member or group of a row that joins one to something else, such as a role assignment. */
  readonly subjectId: string | null;
  readonly projectId: string | null;
}

/** A copy of stored rows in memory, so that no call has to read the store. */
export interface Mirror {
  /** Reads everything again, and replaces the copy in one step. */
  load(): Promise<void>;
  /** By table: reads one touched row again. */
  readonly reread: Readonly<Record<string, (row: ChangedRow) => Promise<void>>>;
}
