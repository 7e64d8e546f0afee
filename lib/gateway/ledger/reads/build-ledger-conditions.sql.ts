import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import type { LedgerFilter } from "../ledger-reader";
import { contains, type TextMatch } from "./find-text.sql";

/** Entries are ordered by time, except for differences and changes of the processes' clocks. */
export const CLOCK_STEP_MS = 2 * HOUR_MS;

/** The condition on an entry. Kinds are literals, so that SQLite can use the partial index. */
export function buildLedgerConditions(filter: LedgerFilter, match: TextMatch | null): RawBuilder<SqlBool>[] {
  const { kind, projectId, model, keyId, startMs, endMs, minAmount, maxAmount, reference, corrects } = filter;
  const conditions = [
    kind !== undefined && sql<SqlBool>`kind = ${sql.lit(kind)}`,
    kind !== undefined && kind !== "charge" && sql<SqlBool>`kind <> 'charge'`,
    projectId !== undefined && sql<SqlBool>`project_id = ${projectId}`,
    model !== undefined && sql<SqlBool>`model = ${model}`,
    keyId !== undefined && sql<SqlBool>`key_id = ${keyId}`,
    startMs !== undefined && sql<SqlBool>`created_at_ms >= ${startMs}`,
    endMs !== undefined && sql<SqlBool>`created_at_ms < ${endMs}`,
    minAmount !== undefined && sql<SqlBool>`amount >= cast(${String(minAmount)} AS integer)`,
    maxAmount !== undefined && sql<SqlBool>`amount <= cast(${String(maxAmount)} AS integer)`,
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
  const amount = sql`cast(${String(minAmount)} AS integer)`;
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
