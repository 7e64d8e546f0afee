import { setImmediate } from "node:timers/promises";
import { HOUR_MS } from "@/lib/contract/durations";
import { firstIdAt, readIdTime } from "@/lib/contract/ids";
import type { Database } from "../../database/database";
import { sql } from "../../database/fragment";
import type { PagedList } from "../../lists/paged-list";
import { findCallHours, type ScanOrder } from "./call-hours.sql";
import type { RequestFilter, RequestRecord } from "./request-record";
import {
  ID_LEAD_MS,
  type RequestRow,
  type RequestSource,
  requestSources,
  toRequestRecord,
} from "./request-sources.sql";

/** Calls scanned before other requests are served: a few milliseconds at most. */
const BATCH_SIZE = 500;
/** An hour with at most this many calls is scanned at once. */
const FEW_CALLS = 3_000;

const sortWords = { ascending: sql`ASC`, descending: sql`DESC` };

/** Sorts after every id. */
const END = "~";

/** Positions from `low` up to, but not including, `high`. */
interface IdRange {
  readonly low: string;
  readonly high: string;
}

/** Calls, newest first. If a filter excludes some, hours without matches are skipped. */
export function listRequests(database: Database, filter: RequestFilter): PagedList<RequestRecord> {
  const sources = requestSources.filter((source) => source.buildConditions(filter) !== null);
  const width = isSearched(filter) ? BATCH_SIZE : null;
  return {
    async has(id) {
      const position = stripIdPrefix(id);
      const rows = await readRange(database, EVERY_CALL, only(position), 1);
      return rows.length > 0;
    },
    async read({ after, before, limit }) {
      let { low, high } = findBounds(filter);
      if (after !== undefined) high = min(high, stripIdPrefix(after));
      if (before !== undefined) low = max(low, beyond(stripIdPrefix(before)));
      // The page before a call ends at it: read upwards from there, then reverse.
      const order = before !== undefined && after === undefined ? "ascending" : "descending";
      const search: Search = { filter, sources, order };
      const rows: RequestRow[] = [];
      for await (const range of iterateRanges(database, search, { low, high }, width)) {
        rows.push(...(await readRange(database, search, range, limit - rows.length)));
        if (rows.length === limit) break;
        if (width !== null) await setImmediate();
      }
      return (order === "ascending" ? rows.toReversed() : rows).map(toRequestRecord);
    },
  };
}

interface Search {
  readonly filter: RequestFilter;
  readonly sources: readonly RequestSource[];
  readonly order: ScanOrder;
}

export const EVERY_CALL: Search = {
  filter: { projectIds: null },
  sources: requestSources,
  order: "descending",
};

/**
 * The ranges to scan between two positions, in order.
 * @param width the number of calls in a range; null to read all positions as one range.
 */
async function* iterateRanges(
  database: Database,
  search: Search,
  whole: IdRange,
  width: number | null,
): AsyncGenerator<IdRange> {
  if (width === null) return yield whole;
  const isAscending = search.order === "ascending";
  for await (const { low, high, hasFew } of iterateHours(database, search, whole)) {
    for (let remaining = { low, high }; remaining.low < remaining.high; ) {
      const end = hasFew ? null : await findRangeEnd(database, search, remaining, width);
      const range = isAscending
        ? { low: remaining.low, high: end ?? high }
        : { low: end ?? low, high: remaining.high };
      yield range;
      remaining = isAscending ? { low: range.high, high } : { low, high: range.low };
    }
  }
}

interface HourRange extends IdRange {
  readonly hasFew: boolean;
}

/** The hours that can contain matching calls; the whole range if that is unknown. */
async function* iterateHours(
  database: Database,
  { filter, order }: Search,
  range: IdRange,
): AsyncGenerator<HourRange> {
  const hours = await findCallHours(database, filter);
  if (hours === null) return yield { ...range, hasFew: false };
  const idAt = (ms: number) => stripIdPrefix(firstIdAt("req", Math.max(0, ms)));
  const fromMs = readIdTime(`req_${range.low}`) ?? 0;
  const toMs = (readIdTime(`req_${range.high}`) ?? Number.MAX_SAFE_INTEGER / 2) + ID_LEAD_MS;
  let { low, high } = range;
  for await (const { startMs, calls } of hours({ fromMs, toMs }, order)) {
    const hour = {
      low: max(low, idAt(startMs - ID_LEAD_MS)),
      high: min(high, idAt(startMs + HOUR_MS)),
    };
    if (hour.low < hour.high) yield { ...hour, hasFew: calls !== null && calls <= FEW_CALLS };
    if (order === "ascending") low = max(low, hour.high);
    else high = min(high, hour.low);
  }
}

/** Whether calls have to be skipped to find matching ones. */
function isSearched({
  requestId,
  batchId,
  startMs: _start,
  endMs: _end,
  ...conditions
}: RequestFilter): boolean {
  // The calls of a batch have an index.
  return (
    requestId === undefined &&
    batchId === undefined &&
    Object.values(conditions).some((value) => value !== undefined && value !== null)
  );
}

function findBounds({ startMs, endMs, requestId }: RequestFilter): IdRange {
  const time = {
    low: startMs === undefined ? "" : stripIdPrefix(firstIdAt("req", startMs)),
    high: endMs === undefined ? END : stripIdPrefix(firstIdAt("req", endMs)),
  };
  if (requestId === undefined) return time;
  const { low, high } = only(stripIdPrefix(requestId));
  return { low: max(low, time.low), high: min(high, time.high) };
}

/** The end of a range of this many calls; null if fewer are left. */
async function findRangeEnd(
  database: Database,
  { sources, order }: Search,
  { low, high }: IdRange,
  width: number,
): Promise<string | null> {
  const ends = await Promise.all(
    sources.map(async ({ table, prefix }) => {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM ${table} WHERE id >= ${prefix + low} AND id < ${prefix + high}
        ORDER BY id ${sortWords[order]} LIMIT 1 OFFSET ${width}`.execute(database);
      return rows[0]?.id.slice(prefix.length);
    }),
  );
  const definedEnds = ends.filter((end) => end !== undefined).toSorted();
  return (order === "ascending" ? definedEnds[0] : definedEnds.at(-1)) ?? null;
}

/** The first matching calls of a range, from all sources. */
export async function readRange(
  database: Database,
  { sources, filter, order }: Search,
  { low, high }: IdRange,
  limit: number,
): Promise<RequestRow[]> {
  const rowLists = await Promise.all(
    sources.map(async (source) => {
      const { table, prefix, columns } = source;
      const conditions = source.buildConditions(filter) ?? [];
      const { rows } = await sql<RequestRow>`
        SELECT ${columns} FROM ${table} AS call WHERE id >= ${prefix + low} AND id < ${prefix + high}
        ${sql.join(
          conditions.map((condition) => sql`AND ${condition}`),
          sql` `,
        )}
        ORDER BY id ${sortWords[order]} LIMIT ${limit}`.execute(database);
      return rows;
    }),
  );
  const direction = order === "ascending" ? 1 : -1;
  return rowLists
    .flat()
    .toSorted(({ place: one }, { place: other }) => (one < other ? -direction : direction))
    .slice(0, limit);
}

/** The part of an id after the prefix, which a call shares with its charge and hold. */
export function stripIdPrefix(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

const beyond = (position: string) => `${position}!`;
/** The range with one position. */
export const only = (position: string): IdRange => ({ low: position, high: beyond(position) });
const min = (one: string, other: string) => (one < other ? one : other);
const max = (one: string, other: string) => (one > other ? one : other);
