import type { ExpressionBuilder, SqlBool } from "kysely";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { Nano } from "@/lib/money/amount";
import type { Database, Reads } from "../../database/database";
import { contains, dialectOf, type Fragment, isOneOf, sql } from "../../database/fragment";
import type { Tables } from "../../database/schema";

/** Ledger entries that are few, beside the charges. */
export type RareKind = "payment" | "correction";

/**
 * The SQL condition that an entry is of one of these kinds. Only with the second comparison, and with literals, does
 * SQLite use the index `ledger_entries_uncalled`, which has no charges.
 */
export function isRareKind(kinds: readonly RareKind[], table = "ledger_entries"): string {
  const names = kinds.map((kind) => `'${kind}'`).join(", ");
  return `${table}.kind IN (${names}) AND ${table}.kind <> 'charge'`;
}

/** Entries are ordered by time, except for differences and changes of the processes' clocks. */
export const CLOCK_STEP_MS = 2 * HOUR_MS;

/** The condition on an entry. Kinds are literals, so that SQLite can use the partial index. */
export function buildLedgerConditions(filter: LedgerFilter, match: TextMatch | null): Fragment<SqlBool>[] {
  const { kind, projectId, model, keyId, startMs, endMs, minAmount, maxAmount, reference, corrects } = filter;
  const conditions = [
    kind !== undefined && sql<SqlBool>`kind = ${sql.lit(kind)}`,
    kind !== undefined && kind !== "charge" && sql<SqlBool>`kind <> 'charge'`,
    projectId !== undefined && sql<SqlBool>`project_id = ${projectId}`,
    model !== undefined && sql<SqlBool>`model = ${model}`,
    keyId !== undefined && sql<SqlBool>`key_id = ${keyId}`,
    startMs !== undefined && sql<SqlBool>`created_at_ms >= ${startMs}`,
    endMs !== undefined && sql<SqlBool>`created_at_ms < ${endMs}`,
    minAmount !== undefined && sql<SqlBool>`amount >= cast(${String(minAmount)} AS bigint)`,
    maxAmount !== undefined && sql<SqlBool>`amount <= cast(${String(maxAmount)} AS bigint)`,
    reference !== undefined && contains("reference", reference),
    corrects !== undefined &&
      sql<SqlBool>`kind = 'correction' AND kind <> 'charge' AND corrects = ${corrects}`,
    match !== null && match.condition,
  ];
  return conditions.filter((condition) => condition !== false);
}

/** A charge is found by its id, which is its request's with another prefix; variances and corrections have an index. */
export function matchesRequest(entry: ExpressionBuilder<Tables, "ledger_entries">, requestId: string) {
  const isVariance = entry.and([
    entry("kind", "=", sql.lit("provider_variance")),
    entry("request_id", "=", requestId),
  ]);
  const chargeId = requestId.replace(/^[^_]*_/, "txn_");
  const isCorrection = entry.and([
    entry("kind", "=", sql.lit("correction")),
    entry("corrects", "=", chargeId),
  ]);
  return entry.or([entry("id", "=", chargeId), isVariance, isCorrection]).and("request_id", "=", requestId);
}

/**
 * Whether the filter needs a scan: a request's entries, uncommon kinds and most texts have indexes, other conditions
 * don't.
 */
export function isScanned(
  { requestId, kind, corrects, startMs: _start, endMs: _end, text: _text, ...conditions }: LedgerFilter,
  match: TextMatch | null,
): boolean {
  if (requestId !== undefined || corrects !== undefined || match?.isIndexed) return false;
  return (
    kind === "charge" || match !== null || Object.values(conditions).some((value) => value !== undefined)
  );
}

/**
 * The exclusive bounds of the numbers of entries of a time range and of at least an amount, as far as the filter has
 * them.
 */
export async function findEntryBounds(
  reads: Reads,
  { startMs, endMs, minAmount }: LedgerFilter,
): Promise<{ from?: number; until?: number }> {
  const starts = [
    startMs === undefined ? 0 : (await findFirstSince(reads, startMs - CLOCK_STEP_MS)) - 1,
    minAmount === undefined || minAmount <= 0n ? 0 : (await findFirstOfAmount(reads, minAmount)) - 1,
  ];
  const until = endMs === undefined ? undefined : await findFirstSince(reads, endMs + CLOCK_STEP_MS);
  return { from: Math.max(...starts), ...(until !== undefined && { until }) };
}

/** No entry before this number has the amount: the sums name the dearest call of each day. */
async function findFirstOfAmount(reads: Reads, minAmount: bigint): Promise<number> {
  const amount = sql`cast(${String(minAmount)} AS bigint)`;
  const row = await reads
    .selectFrom("call_sums_end")
    .select([
      sql<number>`seq + 1`.as("unsummed"),
      sql<
        number | null
        // `+seq`: for the least one of a column in order, SQLite would look at every charge instead of the few others.
      >`(SELECT min(+seq) FROM ledger_entries WHERE kind <> 'charge' AND amount >= ${amount})`.as("other"),
      sql<
        number | null
      >`(SELECT min(start_ms) FROM call_totals WHERE width_ms = ${sql.lit(DAY_MS)} AND max_amount >= ${amount})`.as(
        "dayMs",
      ),
    ])
    .executeTakeFirst();
  const { other = null, unsummed = 1, dayMs = null } = row ?? {};
  const charged = dayMs === null ? unsummed : await findFirstSince(reads, dayMs - CLOCK_STEP_MS);
  return Math.min(other ?? unsummed, unsummed, charged);
}

/** The number of the first entry at or after a time; beyond the last one if there is none. */
export async function findFirstSince(reads: Reads, ms: number): Promise<number> {
  const { last } = await reads
    .selectFrom("ledger_entries")
    .select(sql<number | null>`max(seq)`.as("last"))
    .executeTakeFirstOrThrow();
  let [low, high] = [1, (last ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await reads
      .selectFrom("ledger_entries")
      .select("created_at_ms")
      .where("seq", ">=", middle)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
    if (row && row.created_at_ms < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** So many characters after its prefix tell an id's millisecond; fewer are the beginning of very many ids. */
const MIN_ID_LENGTH = 10;

/** Entries that mention a text. */
export interface TextMatch {
  readonly condition: Fragment<SqlBool>;
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

/** A charge by its own id or its request's, which continues in the same way, or by the beginning of one of them. */
function matchId(text: string): Fragment<SqlBool>[] {
  const [, rest] = /^(?:txn_|req_)?([0-9a-z]+)$/.exec(text.toLowerCase()) ?? [];
  if (rest === undefined) return [];
  const id = `txn_${rest}`;
  return [rest.length < MIN_ID_LENGTH ? sql`id = ${id}` : sql`id >= ${id} AND id < ${`${id}~`}`];
}

async function findNamed(reads: Database, text: string) {
  const called = (table: string) => sql`SELECT id FROM ${sql.table(table)} WHERE ${contains("name", text)}`;
  const ids = async (list: Fragment<unknown>) =>
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
    after: Fragment<unknown>,
  ) => sql`SELECT min(model) FROM call_sums ${dialectOf(reads).withIndex("call_sums_by_model")}
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

/** Which entries to list. An absent field filters nothing. */
export interface LedgerFilter {
  readonly kind?: LedgerEntry["kind"] | undefined;
  readonly projectId?: string | undefined;
  readonly model?: string | undefined;
  readonly requestId?: string | undefined;
  /** The key or member that a call is charged to. */
  readonly keyId?: string | undefined;
  /** The time of the entry: inclusive start and exclusive end. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  /** The absolute amount. */
  readonly minAmount?: Nano | undefined;
  readonly maxAmount?: Nano | undefined;
  /** A part of its reference; ignores case. */
  readonly reference?: string | undefined;
  /** The entry that corrections name. */
  readonly corrects?: string | undefined;
  /**
   * A part of its reference, its note, its reason, its ids, its model, or the name of its project, key or member;
   * ignores case.
   */
  readonly text?: string | undefined;
}
