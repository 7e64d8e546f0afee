import { type RawBuilder, type SqlBool, sql } from "kysely";
import { DAY_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";

/** So many characters after its prefix tell an id's millisecond; fewer are the beginning of very many ids. */
const MIN_ID_LENGTH = 10;

/** Entries that mention a text. */
export interface TextMatch {
  readonly condition: RawBuilder<SqlBool>;
  /** Whether an index finds them: no project, key, member or model of charges has the text in its name. */
  readonly isIndexed: boolean;
}

/**
 * Looks up names before entries: charges are nearly all entries, and the only texts in them are ids and a model.
 * Other entries have an index of their own, so that each of their texts is searched.
 */
export async function findText(reads: Database, text: string): Promise<TextMatch> {
  const [named, models] = await Promise.all([findNamed(reads, text), findModels(reads, text)]);
  const texts = ["reference", "note", "reason", "id", "request_id", "model", "corrects"];
  const isNamed = [
    ...(named.projectIds.length > 0 ? [isOneOf("project_id", named.projectIds)] : []),
    ...(named.keyIds.length > 0 ? [isOneOf("key_id", named.keyIds)] : []),
  ];
  const mentions = sql.join([...texts.map((column) => contains(column, text)), ...isNamed], sql` OR `);
  const isOther = sql`kind <> 'charge' AND (${mentions})`;
  const isCharge = [...isNamed, ...(models.length > 0 ? [isOneOf("model", models)] : [])];
  const hasId = matchId(text);
  if (isCharge.length > 0)
    return {
      condition: sql<SqlBool>`(${sql.join([isOther, ...isCharge, ...hasId], sql` OR `)})`,
      isIndexed: false,
    };
  const lists = [isOther, ...hasId].map(
    (condition) => sql`SELECT seq FROM ledger_entries WHERE ${condition}`,
  );
  return { condition: sql<SqlBool>`seq IN (${sql.join(lists, sql` UNION ALL `)})`, isIndexed: true };
}

export function contains(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}

const isOneOf = (column: string, values: readonly string[]) =>
  sql<SqlBool>`${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** A charge by its own id or its request's, which continues in the same way, or by the beginning of one of them. */
function matchId(text: string): RawBuilder<SqlBool>[] {
  const [, rest] = /^(?:txn_|req_)?([0-9a-z]+)$/.exec(text.toLowerCase()) ?? [];
  if (rest === undefined) return [];
  const id = `txn_${rest}`;
  return [rest.length < MIN_ID_LENGTH ? sql`id = ${id}` : sql`id >= ${id} AND id < ${`${id}~`}`];
}

async function findNamed(reads: Database, text: string) {
  const called = (table: string) => sql`SELECT id FROM ${sql.table(table)} WHERE ${contains("name", text)}`;
  const ids = async (list: RawBuilder<unknown>) =>
    (await sql<{ id: string }>`${list}`.execute(reads)).rows.map(({ id }) => id);
  const callers = ["project_api_keys", "admin_api_keys", "users"].map(called);
  return {
    projectIds: await ids(called("projects")),
    keyIds: await ids(sql.join(callers, sql` UNION ALL `)),
  };
}

/**
 * The models of charges with the text in their ids. The sums name each one, and its index leads from one to the next.
 */
async function findModels(reads: Database, text: string): Promise<string[]> {
  const next = (
    after: RawBuilder<unknown>,
  ) => sql`SELECT min(model) FROM call_sums INDEXED BY call_sums_by_model
    WHERE width_ms = ${sql.lit(DAY_MS)} AND model > ${after}`;
  const { rows } = await sql<{ model: string }>`
    WITH RECURSIVE summed(model) AS (
      SELECT (${next(sql`''`)}) UNION ALL SELECT (${next(sql`summed.model`)}) FROM summed WHERE summed.model IS NOT NULL
    )
    SELECT model FROM summed WHERE ${contains("model", text)}
    UNION SELECT model FROM ledger_entries WHERE seq > (SELECT seq FROM call_sums_end) AND ${contains("model", text)}`.execute(
    reads,
  );
  return rows.map(({ model }) => model);
}
