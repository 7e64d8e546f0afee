import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { HOUR_MS } from "@/lib/contract/durations";
import { firstIdOf, timeOfId } from "@/lib/contract/ids";
import type { PagedList } from "../../lists/paged-list";
import type { RequestFilter, RequestRecord } from "../../requests/request-log-reader";
import type { Database } from "../database";
import { findCallHours } from "./find-call-hours";
import { ID_LEAD_MS } from "./id-lead";
import { type RequestRow, type RequestSource, requestSources, toRequestRecord } from "./request-sources";

/** Calls scanned before other requests are served: a few milliseconds at most. */
const LOOKED_AT_ONCE = 500;

/** Sorts after every id. */
const END = "~";

/** Positions from `low` up to, but not including, `high`. */
interface Stretch {
  readonly low: string;
  readonly high: string;
}

/** Calls, newest first. Where a filter excludes some, hours without matches are skipped. */
export function listRequests(database: Database, filter: RequestFilter): PagedList<RequestRecord> {
  const sources = requestSources.filter((source) => source.conditionsOf(filter) !== null);
  const width = isSearched(filter) ? LOOKED_AT_ONCE : null;
  return {
    async has(id) {
      const place = placeOf(id);
      const found = await readRange(database, requestSources, { projectIds: null }, only(place), 1);
      return found.length > 0;
    },
    async read({ after, before, limit }) {
      let { low, high } = boundsOf(filter);
      if (after !== undefined) high = least(high, placeOf(after));
      if (before !== undefined) low = greatest(low, beyond(placeOf(before)));
      // The page before a call ends at it: read upwards from there, then reverse.
      const isUpwards = before !== undefined && after === undefined;
      const rows: RequestRow[] = [];
      for await (const stretch of stretchesOf(
        database,
        { filter, sources, width },
        { low, high },
        isUpwards,
      )) {
        rows.push(...(await readRange(database, sources, filter, stretch, limit - rows.length, isUpwards)));
        if (rows.length === limit) break;
        if (width !== null) await setImmediate();
      }
      return (isUpwards ? rows.toReversed() : rows).map(toRequestRecord);
    },
  };
}

interface Search {
  readonly filter: RequestFilter;
  readonly sources: readonly RequestSource[];
  /** The number of calls in a stretch; null where none has to be skipped. */
  readonly width: number | null;
}

/** The stretches to scan between two positions, in order. */
async function* stretchesOf(
  database: Database,
  { filter, sources, width }: Search,
  all: Stretch,
  isUpwards: boolean,
): AsyncGenerator<Stretch> {
  if (width === null) return yield all;
  for await (const { low, high, hasFew } of windowsOf(database, filter, all, isUpwards)) {
    for (let left = { low, high }; left.low < left.high; ) {
      const end = hasFew ? null : await endOfStretch(database, sources, left, isUpwards, width);
      const stretch = isUpwards ? { low: left.low, high: end ?? high } : { low: end ?? low, high: left.high };
      yield stretch;
      left = isUpwards ? { low: stretch.high, high } : { low, high: stretch.low };
    }
  }
}

interface Window extends Stretch {
  readonly hasFew: boolean;
}

/** The hours that can contain matching calls; the whole range where that is unknown. */
async function* windowsOf(
  database: Database,
  filter: RequestFilter,
  all: Stretch,
  isUpwards: boolean,
): AsyncGenerator<Window> {
  const hours = await findCallHours(database, filter);
  if (hours === null) return yield { ...all, hasFew: false };
  const placeAt = (ms: number) => placeOf(firstIdOf("req", Math.max(0, ms)));
  const fromMs = timeOfId(`req_${all.low}`) ?? 0;
  const toMs = (timeOfId(`req_${all.high}`) ?? Number.MAX_SAFE_INTEGER / 2) + ID_LEAD_MS;
  let { low, high } = all;
  for await (const { startMs, hasFew } of hours({ fromMs, toMs }, isUpwards)) {
    const window = {
      low: greatest(low, placeAt(startMs - ID_LEAD_MS)),
      high: least(high, placeAt(startMs + HOUR_MS)),
    };
    if (window.low < window.high) yield { ...window, hasFew };
    if (isUpwards) low = greatest(low, window.high);
    else high = least(high, window.low);
  }
}

/** Whether calls have to be skipped to find matching ones. */
function isSearched({ requestId, batchId, startMs: _start, endMs: _end, ...asked }: RequestFilter): boolean {
  // The calls of a batch have an index.
  return (
    requestId === undefined &&
    batchId === undefined &&
    Object.values(asked).some((value) => value !== undefined && value !== null)
  );
}

function boundsOf({ startMs, endMs, requestId }: RequestFilter): Stretch {
  const time = {
    low: startMs === undefined ? "" : placeOf(firstIdOf("req", startMs)),
    high: endMs === undefined ? END : placeOf(firstIdOf("req", endMs)),
  };
  if (requestId === undefined) return time;
  const { low, high } = only(placeOf(requestId));
  return { low: greatest(low, time.low), high: least(high, time.high) };
}

/** The end of a stretch of this many calls; null where fewer are left. */
async function endOfStretch(
  database: Database,
  sources: readonly RequestSource[],
  { low, high }: Stretch,
  isUpwards: boolean,
  width: number,
): Promise<string | null> {
  const ends = await Promise.all(
    sources.map(async ({ table, prefix }) => {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM ${table} WHERE id >= ${prefix + low} AND id < ${prefix + high}
        ORDER BY id ${sql.raw(isUpwards ? "ASC" : "DESC")} LIMIT 1 OFFSET ${width}`.execute(database);
      return rows[0]?.id.slice(prefix.length);
    }),
  );
  const known = ends.filter((end) => end !== undefined).toSorted();
  return (isUpwards ? known[0] : known.at(-1)) ?? null;
}

/** The first matching calls of a stretch, from all sources. */
export async function readRange(
  database: Database,
  sources: readonly RequestSource[],
  filter: RequestFilter,
  { low, high }: Stretch,
  limit: number,
  isUpwards = false,
): Promise<RequestRow[]> {
  const found = await Promise.all(
    sources.map(async (source) => {
      const { table, prefix, columns } = source;
      const conditions = source.conditionsOf(filter) ?? [];
      const { rows } = await sql<RequestRow>`
        SELECT ${columns} FROM ${table} AS call WHERE id >= ${prefix + low} AND id < ${prefix + high}
        ${sql.join(
          conditions.map((condition) => sql`AND ${condition}`),
          sql` `,
        )}
        ORDER BY id ${sql.raw(isUpwards ? "ASC" : "DESC")} LIMIT ${limit}`.execute(database);
      return rows;
    }),
  );
  const direction = isUpwards ? 1 : -1;
  return found
    .flat()
    .toSorted(({ place: one }, { place: other }) => (one < other ? -direction : direction))
    .slice(0, limit);
}

/** The part of an id after the prefix, which a call shares with its charge and hold. */
export function placeOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

const beyond = (place: string) => `${place}!`;
/** The stretch with one position. */
export const only = (place: string): Stretch => ({ low: place, high: beyond(place) });
const least = (one: string, other: string) => (one < other ? one : other);
const greatest = (one: string, other: string) => (one > other ? one : other);
