/** A row that a committed change has made, altered or deleted. */
export interface TouchedRow {
  readonly table: string;
  readonly id: string;
  /** Of a row that joins two things, the other one: a role assignment's member, a group's member. */
  readonly subjectId: string | null;
  readonly projectId: string | null;
}

/** What follows the store in memory, so that no call has to ask the store. */
export interface Mirror {
  /** Reads all of it, and puts that in the place of what was there in one step. */
  load(): Promise<void>;
  /** By the tables it is made from: reads again what one touched row says. */
  readonly reread: Readonly<Record<string, (row: TouchedRow) => Promise<void>>>;
}
