import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from "kysely";

/** Where the two engines need different SQL. Everything else is written so that both understand it. */
export interface Dialect {
  /** The elements of a JSON list in a column, one row each, as `elements.value` (text of JSON for objects). */
  jsonElements(list: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The text of a field of a JSON object; null if it is absent. */
  jsonText(object: RawBuilder<unknown>, field: string): RawBuilder<string | null>;
  /** The texts, numbers and truth values in a JSON object, as `atoms.atom`. Filter `atoms.key` by `exceptField`. */
  jsonAtoms(object: RawBuilder<unknown>, exceptField: string): RawBuilder<unknown>;
  /** Follows a table's name: the index to read it by, where the planner would choose another one. */
  withIndex(index: string): RawBuilder<unknown>;
  /** The order in which rows of a table were stored, for those of the same millisecond. */
  readonly storedOrder: RawBuilder<unknown>;
}

const sqlite: Dialect = {
  jsonElements: (list) => sql`json_each(${list}) AS elements`,
  jsonText: (object, field) => sql`json_extract(${object}, ${sql.lit(`$.${field}`)})`,
  // SQLite lets only a function, no query, refer to the table before it.
  jsonAtoms: (object) => sql`json_tree(${object}) AS atoms`,
  withIndex: (index) => sql`INDEXED BY ${sql.ref(index)}`,
  storedOrder: sql`rowid`,
};

const postgres: Dialect = {
  jsonElements: (list) => sql`jsonb_array_elements((${list})::jsonb) AS elements(value)`,
  jsonText: (object, field) => sql`((${object})::jsonb ->> ${sql.lit(field)})`,
  jsonAtoms: (object, exceptField) => sql`LATERAL (SELECT atom #>> '{}' AS atom, '' AS key
    FROM jsonb_path_query((${object})::jsonb - ${sql.lit(exceptField)}, 'strict $.**') AS atoms(atom)
    WHERE jsonb_typeof(atom) NOT IN ('object', 'array', 'null')) AS atoms`,
  withIndex: () => sql``,
  storedOrder: sql`ctid`,
};

export function isPostgres(queries: Pick<Kysely<never>, "getExecutor">): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

export function dialectOf(queries: object): Dialect {
  return isPostgres(queries as Kysely<never>) ? postgres : sqlite;
}

/** Whether a column contains a text. It ignores the case of ASCII letters, on both engines. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  return sql`lower(${sql.ref(column)}) LIKE ${toPattern(text)} ESCAPE '\\'`;
}

/** The pattern of `LIKE` for a part of a text in lower case. */
export function toPattern(part: string): string {
  return `%${part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Whether a value is one of a list. */
export function isOneOf(column: string, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  return values.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} IN (${sql.join(values)})`;
}
