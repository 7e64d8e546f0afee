import type { Kysely } from "kysely";

/** A change of the schema after its first version. It may change rows, too. */
export interface Migration {
  /** Sorts after those before it: "0101-task-priorities". */
  readonly name: string;
  /**
   * Whether it only adds, and the version before does right by ignoring it: not one that ignores that a member is
   * deactivated, or a grant's end. Then gateways of that version run beside it on PostgreSQL, and start on it.
   */
  readonly addsOnly?: boolean;
  up(queries: Kysely<never>): Promise<void>;
}
