import { type Kysely, sql } from "kysely";
import { isPostgres } from "./database";
import * as postgres from "./tables/postgres-statements";
import * as sqlite from "./tables/sqlite-statements";
import type { Table, Trigger } from "./tables/table";

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

/** Makes a table as those of the first version are made, on both engines. */
export async function addTable(queries: Kysely<never>, added: Table): Promise<void> {
  const { buildTableStatements } = isPostgres(queries) ? postgres : sqlite;
  for (const statement of buildTableStatements(added)) await sql.raw(statement).execute(queries);
}

/** Gives a trigger of a table another form, on both engines. */
export async function replaceTrigger(
  queries: Kysely<never>,
  on: string,
  name: string,
  how: Trigger,
): Promise<void> {
  const statements = isPostgres(queries)
    ? [`DROP TRIGGER ${name} ON ${on}`, `DROP FUNCTION ${name}`, ...postgres.buildTrigger(name, on, how)]
    : [`DROP TRIGGER ${name}`, sqlite.buildTrigger(name, on, how)];
  for (const statement of statements) await sql.raw(statement).execute(queries);
}
