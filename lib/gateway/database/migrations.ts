import type { Kysely } from "kysely";

/** A change of the schema after its first version. It may change rows, too. */
export interface Migration {
  /** Sorts after those before it: "0101-task-priorities". */
  readonly name: string;
  up(queries: Kysely<never>): Promise<void>;
}

/** In the order in which they run. The first version of the schema is `tables/`, and is not changed once it is used. */
export const migrations: Migration[] = [];
