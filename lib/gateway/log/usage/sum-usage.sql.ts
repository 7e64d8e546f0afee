import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { type Database, readSnapshot } from "../../database/database";
import { type Dialect, dialectOf, type Fragment, sql } from "../../database/fragment";
import {
  buildCondition,
  buildPlaceColumns,
  isOneBucket,
  type RangeQuery,
  type UsagePart,
} from "./range-query.sql";
import { cacheRows, readCached } from "./row-cache";
import { readUsageParts } from "./sum-parts.sql";
import { add, findBucket, type Histogram, readHistogram, UsageTally, writeHistogram } from "./usage-tally";

/** Tallies by the value of the grouping field; null for calls without a value, and without grouping. */
export type Tallies = Map<string | null, UsageTally>;

const REACHED = sql`outcome <> 'refused' AND outcome <> 'unsent'`;
const FAILED = sql`outcome = 'provider_failed' OR outcome = 'interrupted'`;

const TEXT = sql`sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
  coalesce(sum(cached_tokens), 0) AS cached_tokens`;
const TOKENS = sql`${TEXT}, sum(audio_prompt_tokens) AS audio_prompt_tokens, sum(audio_completion_tokens) AS audio_completion_tokens`;
const AMOUNT = sql`cast(sum(amount) AS text) AS amount`;
const COUNTED = sql`count(*) FILTER (WHERE ${REACHED}) AS requests, count(*) FILTER (WHERE ${FAILED}) AS errors`;

function buildFigures({ jsonNumber }: Dialect, rows: UsagePart["rows"]): Fragment<unknown> {
  if (rows === "sums")
    return sql`coalesce(sum(calls) FILTER (WHERE ${REACHED}), 0) AS requests,
      coalesce(sum(calls) FILTER (WHERE ${FAILED}), 0) AS errors, ${TOKENS}, ${AMOUNT}`;
  if (rows === "sums by dimension")
    return sql`coalesce(sum(requests), 0) AS requests, coalesce(sum(errors), 0) AS errors, ${TOKENS}, ${AMOUNT}`;
  if (rows === "charges")
    return sql`${COUNTED}, ${TEXT}, coalesce(sum(${jsonNumber(sql`audio`, "prompt_tokens")}), 0) AS audio_prompt_tokens,
      coalesce(sum(${jsonNumber(sql`audio`, "completion_tokens")}), 0) AS audio_completion_tokens, ${AMOUNT}`;
  return sql`${COUNTED}, 0 AS prompt_tokens, 0 AS completion_tokens, 0 AS cached_tokens, 0 AS audio_prompt_tokens,
    0 AS audio_completion_tokens, '0' AS amount`;
}

interface Row {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly requests: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly audio_prompt_tokens: number;
  readonly audio_completion_tokens: number;
  readonly amount: string;
}

/**
 * The figures of calls by bucket and group, except durations: from the sums, and call by call where calls are not
 * summed yet or a sum covers more than the range. Reads one snapshot.
 * @param refusals of these buckets and groups, if they were read already.
 */
export function sumUsage(
  queries: Database,
  query: RangeQuery,
  refusals?: readonly RefusalSum[],
): Promise<{ tallies: Tallies; pendingCalls: number }> {
  return readSnapshot(queries, async (snapshot) => {
    const sums = await tallyCalls(snapshot, query);
    for (const { startMs, group, refusals: count } of refusals ?? (await readRefusals(snapshot, query)))
      tallyIn(sums.tallies, group).addRefusals(startMs, count);
    return sums;
  });
}

/** The sums of the calls that ended in a range, without refusals, and how many are still open. */
export function tallyCalls(
  queries: Database,
  query: RangeQuery,
): Promise<{ tallies: Tallies; pendingCalls: number }> {
  return readSnapshot(queries, async (snapshot) => {
    const tallies: Tallies = new Map();
    const { parts, pendingCalls } = await readUsageParts(snapshot, query);
    for (const part of parts) {
      const { rows, columns, from, version, readGroup = (value: string | null) => value } = part;
      const figures = buildFigures(dialectOf(snapshot), rows);
      const groups = sql.raw(isOneBucket(query) ? "2" : "1, 2");
      const statement = sql<Row>`SELECT ${columns}, ${figures} ${from} GROUP BY ${groups}`;
      const found =
        version === undefined
          ? (await statement.execute(snapshot)).rows
          : await readCached(snapshot, statement, version);
      for (const row of found) addRow(tallyIn(tallies, readGroup(row.group_value)), row);
    }
    return { tallies, pendingCalls };
  });
}

function addRow(tally: UsageTally, row: Row): void {
  tally.add(row.start_ms, {
    requests: row.requests,
    errors: row.errors,
    refusals: 0,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cachedTokens: row.cached_tokens,
    audioPromptTokens: row.audio_prompt_tokens,
    audioCompletionTokens: row.audio_completion_tokens,
    amount: toNano(BigInt(row.amount)),
  });
}

function tallyIn(tallies: Tallies, group: string | null): UsageTally {
  const tally = tallies.get(group) ?? new UsageTally();
  tallies.set(group, tally);
  return tally;
}

interface SumRow {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly durations: string;
  readonly first_bytes: string;
}

interface CallRow {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly duration_ms: number | null;
  readonly first_byte_ms: number | null;
}

/**
 * Adds the durations of completed calls to existing tallies. It parses each row's histogram, so request only the groups
 * that are shown.
 * @param isByBucket whether buckets get latencies, or only the whole.
 */
export async function addLatencies(
  queries: Database,
  tallies: Tallies,
  query: RangeQuery,
  isByBucket = true,
): Promise<void> {
  const bucketAt = (startMs: number) => (isByBucket ? startMs : null);
  const groups = query.groupBy === null ? undefined : [...tallies.keys()];
  for (const part of (await readUsageParts(queries, { ...query, groups })).parts) {
    const { rows, columns, from, latenciesFrom = from, version, readGroup = (value) => value } = part;
    if (rows === "sums" || rows === "sums by dimension") {
      const statement = sql<SumRow>`SELECT ${columns}, durations, first_bytes ${latenciesFrom} AND durations <> ''`;
      const isCached = version !== undefined && !isByBucket;
      const sums = isCached
        ? await readAdded(queries, statement, version)
        : (await statement.execute(queries)).rows;
      for (const { start_ms, group_value, durations, first_bytes } of sums) {
        const latencies = { durations: readHistogram(durations), firstBytes: readHistogram(first_bytes) };
        tallies.get(readGroup(group_value))?.addLatencies(bucketAt(start_ms), latencies);
      }
    } else if (rows === "charges") {
      const calls =
        await sql<CallRow>`SELECT ${columns}, duration_ms, first_byte_ms ${from} AND outcome = 'completed'`.execute(
          queries,
        );
      for (const { start_ms, group_value, duration_ms, first_byte_ms } of calls.rows) {
        const latencies = { durations: once(duration_ms), firstBytes: once(first_byte_ms) };
        tallies.get(group_value)?.addLatencies(bucketAt(start_ms), latencies);
      }
    }
  }
}

/** The histograms of a row take as much memory as this many rows of a few numbers. */
const HISTOGRAM_SIZE = 30;

/**
 * The rows of finished days and hours added up to one for each value. They are cached until late calls are added to
 * them.
 */
function readAdded(
  queries: Database,
  statement: Fragment<SumRow>,
  version: number,
): Promise<readonly SumRow[]> {
  const { sql: text, parameters } = statement.compile(queries);
  const name = `latencies ${JSON.stringify([text, parameters])}`;
  return cacheRows(queries, { name, version, rowSize: HISTOGRAM_SIZE }, async () => {
    const sums = new Map<string | null, { durations: Histogram; firstBytes: Histogram }>();
    for (const { group_value, durations, first_bytes } of (await statement.execute(queries)).rows) {
      const sum = sums.get(group_value) ?? { durations: new Map(), firstBytes: new Map() };
      sums.set(group_value, sum);
      add(sum.durations, readHistogram(durations));
      add(sum.firstBytes, readHistogram(first_bytes));
    }
    return [...sums].map(([group_value, { durations, firstBytes }]) => ({
      start_ms: 0,
      group_value,
      durations: writeHistogram(durations),
      first_bytes: writeHistogram(firstBytes),
    }));
  });
}

const once = (ms: number | null) => (ms === null ? [] : [[findBucket(ms), 1] as const]);

/** Refusals of a bucket and a group. */
export interface RefusalSum {
  readonly startMs: number;
  readonly group: string | null;
  readonly refusals: number;
}

/**
 * Refusals are counted by the minute as they are written. They have no provider. Whole days, which rarely change, are
 * kept.
 */
export async function readRefusals(queries: Database, query: RangeQuery): Promise<readonly RefusalSum[]> {
  const { filter, toMs, widthMs, groups } = query;
  const isByProvider = query.groupBy === "provider";
  if (filter.provider !== undefined || (isByProvider && groups?.includes(null) === false)) return [];
  const groupBy = isByProvider ? null : query.groupBy;
  const condition = buildCondition(
    dialectOf(queries),
    isByProvider ? { ...query, groupBy, groups: undefined } : query,
  );
  const place = buildPlaceColumns("minute_ms", { widthMs, groupBy, toMs });
  const select = (from: number, to: number) =>
    sql<RefusalRow>`SELECT ${place}, sum(refusals) AS refusals FROM refusal_counts
      WHERE minute_ms >= ${from} AND minute_ms < ${to} ${condition} GROUP BY 1, 2`;
  const read = async (from: number, to: number) =>
    from < to ? (await select(from, to).execute(queries)).rows : [];
  const fromMs = query.fromMs - (query.fromMs % MINUTE_MS);
  const firstDay = Math.min(toMs, Math.ceil(fromMs / DAY_MS) * DAY_MS);
  const daysEnd = Math.max(firstDay, toMs - (toMs % DAY_MS));
  const version = await countChanges(queries, firstDay, daysEnd);
  const rows = [
    ...(await read(fromMs, firstDay)),
    ...(await readCached(queries, select(firstDay, daysEnd), version)),
    ...(await read(daysEnd, toMs)),
  ];
  return rows.map(({ start_ms, group_value, refusals }) => ({
    startMs: start_ms,
    group: group_value,
    refusals,
  }));
}

interface RefusalRow {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly refusals: number;
}

async function countChanges(queries: Database, fromDayMs: number, untilDayMs: number): Promise<number> {
  const row = await queries
    .selectFrom("refusal_days")
    .select(({ fn }) => fn.sum<number | null>("changes").as("changes"))
    .where("day_ms", ">=", fromDayMs)
    .where("day_ms", "<", untilDayMs)
    .executeTakeFirst();
  return row?.changes ?? 0;
}

/** Selects the refusals of a query about the same calls in wider buckets, in all, or of some groups only. */
export function selectRefusals(sums: readonly RefusalSum[], query: RangeQuery): readonly RefusalSum[] {
  const { groupBy, groups } = query;
  const isOne = isOneBucket(query);
  const shown = groups && new Set(groups);
  const selected = new Map<string | null, Map<number, number>>();
  for (const { startMs, group, refusals } of sums) {
    const shownGroup = groupBy === null ? null : group;
    if (shown?.has(shownGroup) === false) continue;
    const buckets = selected.get(shownGroup) ?? new Map<number, number>();
    selected.set(shownGroup, buckets);
    const start = isOne ? 0 : startMs;
    buckets.set(start, (buckets.get(start) ?? 0) + refusals);
  }
  return [...selected].flatMap(([group, buckets]) =>
    [...buckets].map(([startMs, refusals]) => ({ startMs, group, refusals })),
  );
}
