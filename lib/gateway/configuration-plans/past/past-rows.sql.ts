import { otherEvents } from "@/lib/contract/access/audit-events";
import { firstIdAt } from "@/lib/contract/ids";
import type { AuditChange } from "../../changes/audit/audit-event";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { Database } from "../../database/database";
import { sql } from "../../database/fragment";
import { invalid } from "../../refusal";

interface PastTable {
  /** The columns that name a row. */
  readonly key: readonly string[];
  /** Rows of this table are never deleted: this column hides one that didn't exist yet. Null: it stays visible. */
  readonly hiddenBy?: string | null;
  /** A column that no two rows share, which may have been swapped since. */
  readonly unique?: string;
}

/** The tables whose past is told, each after those that its rows refer to. */
const tables: Readonly<Record<string, PastTable>> = {
  projects: { key: ["id"], hiddenBy: "archived_at_ms" },
  users: { key: ["id"], hiddenBy: "removed_at_ms" },
  roles: { key: ["id"], unique: "name" },
  groups: { key: ["id"], unique: "name" },
  group_users: { key: ["group_id", "user_id"] },
  role_assignments: { key: ["user_id", "group_id", "role_id", "project_id"] },
  models: { key: ["id"], hiddenBy: null },
  model_prices: { key: ["model"] },
  model_routes: { key: ["model"] },
  model_permissions: { key: ["project_id"] },
  rate_limits: { key: ["project_id", "model"] },
  rate_limit_defaults: { key: ["id"] },
  limit_plans: { key: ["id"] },
  limit_plan_limits: { key: ["plan_id", "model"] },
  limit_plan_projects: { key: ["project_id"] },
  spend_limits: { key: ["scope"] },
  spend_alerts: { key: ["id"] },
};

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/** A row as it was; null where there was none yet. */
interface PastRow {
  readonly table: string;
  readonly key: Row;
  readonly before: Row | null;
}

const EVENTS_AT_ONCE = 500;
/** Going further back would keep other changes waiting for too long. */
const MAX_EVENTS = 50_000;

/**
 * Makes the rows of settings what they were at a time, in a unit of work that is not to be kept.
 * @throws Refusal 400 for a time that the audit log doesn't reach, and for one with too many changes since.
 */
export async function bringBackRows(transaction: Transaction, atMs: number, param: string): Promise<void> {
  const queries = within(transaction);
  await refuseUntold(queries, atMs, param);
  const rows = [...(await readFirstChanges(queries, atMs, param)).values()];
  const order = Object.keys(tables);
  const parentsFirst = rows.toSorted((one, other) => order.indexOf(one.table) - order.indexOf(other.table));
  for (const row of parentsFirst.toReversed()) if (row.before === null) await remove(queries, row, atMs);
  for (const row of parentsFirst) if (row.before) await release(queries, row);
  for (const row of parentsFirst) if (row.before) await put(queries, row, row.before);
}

/** The log is cut by retention: what was before isn't known. */
async function refuseUntold(queries: Database, atMs: number, param: string): Promise<void> {
  const isCut = await queries
    .selectFrom("audit_logs")
    .select("id")
    .where("type", "=", otherEvents.auditCut)
    .limit(1)
    .executeTakeFirst();
  if (!isCut) return;
  const oldest = await queries
    .selectFrom("audit_logs")
    .select("at_ms")
    .where("type", "<>", otherEvents.auditCut)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  if (oldest && Number(oldest.at_ms) <= atMs) return;
  const begins = oldest ? new Date(Number(oldest.at_ms)).toISOString() : "now";
  throw invalid(
    param,
    `${param} is before the audit log begins, at ${begins}: what was set then isn't known.`,
  );
}

/** The state before the first change since, of each row that was changed. */
async function readFirstChanges(
  queries: Database,
  atMs: number,
  param: string,
): Promise<Map<string, PastRow>> {
  const rows = new Map<string, PastRow>();
  const isTold = sql.join(
    Object.keys(tables).map((table) => sql`changes LIKE ${`%"object":"${table}"%`}`),
    sql` OR `,
  );
  let after = 0;
  for (let count = 0; ; count += EVENTS_AT_ONCE) {
    if (count >= MAX_EVENTS)
      throw invalid(param, `More than ${MAX_EVENTS} changes were made since ${param}: name a later time.`);
    const { rows: events } = await sql<{ seq: number; changes: string }>`
      SELECT seq, changes FROM audit_logs
      WHERE id >= ${firstIdAt("audit", atMs)} AND at_ms > ${atMs} AND seq > ${after}
        AND type <> ${otherEvents.auditCut} AND (${isTold})
      ORDER BY seq LIMIT ${EVENTS_AT_ONCE}`.execute(queries as never);
    for (const event of events) note(rows, JSON.parse(event.changes));
    const last = events.at(-1);
    if (!last || events.length < EVENTS_AT_ONCE) return rows;
    after = Number(last.seq);
    await new Promise(setImmediate);
  }
}

function note(rows: Map<string, PastRow>, changes: readonly AuditChange[]): void {
  for (const { object, before, after } of changes) {
    const table = tables[object];
    const recorded = before ?? after;
    if (!table || !recorded) continue;
    const row = readRow(object, recorded);
    const key = Object.fromEntries(table.key.map((column) => [column, row[column] ?? null]));
    const name = JSON.stringify([object, key]);
    if (!rows.has(name)) rows.set(name, { table: object, key, before: before && row });
  }
}

/** @throws Error for a value that no column of these tables has. */
function readRow(table: string, recorded: NonNullable<AuditChange["before"]>): Row {
  const row: Record<string, Cell> = {};
  for (const [column, value] of Object.entries(recorded)) {
    if (!isCell(value)) throw new Error(`The audit log has a ${typeof value} for ${table}.${column}`);
    row[column] = value;
  }
  return row;
}

const isCell = (value: unknown): value is Cell =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

const isRow = (key: Row) =>
  sql.join(
    Object.entries(key).map(([column, value]) =>
      value === null ? sql`${sql.ref(column)} IS NULL` : sql`${sql.ref(column)} = ${value}`,
    ),
    sql` AND `,
  );

async function remove(queries: Database, { table, key }: PastRow, atMs: number): Promise<void> {
  const hiddenBy = tables[table]?.hiddenBy;
  if (hiddenBy === null) return;
  const statement =
    hiddenBy === undefined
      ? sql`DELETE FROM ${sql.table(table)} WHERE ${isRow(key)}`
      : sql`UPDATE ${sql.table(table)} SET ${sql.ref(hiddenBy)} = ${atMs} WHERE ${isRow(key)}`;
  await statement.execute(queries as never);
}

/** Lets go of a name that another row may have had. */
async function release(queries: Database, { table, key }: PastRow): Promise<void> {
  const unique = tables[table]?.unique;
  if (unique)
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(unique)} = id WHERE ${isRow(key)}`.execute(
      queries as never,
    );
}

async function put(queries: Database, { table, key }: PastRow, before: Row): Promise<void> {
  const entries = Object.entries(before);
  const values = sql.join(
    entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql`, `,
  );
  const updated = await sql`UPDATE ${sql.table(table)} SET ${values} WHERE ${isRow(key)}`.execute(
    queries as never,
  );
  if (Number(updated.numAffectedRows ?? 0) > 0) return;
  const columns = sql.join(entries.map(([column]) => sql.ref(column)));
  const given = sql.join(entries.map(([, value]) => sql`${value}`));
  await sql`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${given})`.execute(queries as never);
}
