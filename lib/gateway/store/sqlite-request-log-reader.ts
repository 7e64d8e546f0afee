import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { RefusalFacts } from "@/lib/contract/errors";
import { firstIdOf } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import type { PagedList } from "../lists/paged-list";
import type {
  RequestDetails,
  RequestFilter,
  RequestLogReader,
  RequestRecord,
} from "../requests/request-log-reader";
import type { Database } from "./database";
import { readRequestKey } from "./read-request-key";
import { readUnlistedRefusals } from "./read-unlisted-refusals";
import { type RequestRow, type RequestSource, requestSources, toRequestRecord } from "./request-sources";

/** Calls that are looked at before others have their turn: a few milliseconds at most. */
const LOOKED_AT_ONCE = 500;

/** Beyond every id: no digit sorts behind it. */
const END = "~";

/** Places from `low` on and before `high`. */
interface Stretch {
  readonly low: string;
  readonly high: string;
}

/** Reads of all calls, beside the ledger's writer and never through it. Ids sort by time and are indexed where calls stand. */
export function createSqliteRequestLogReader(database: Database): RequestLogReader {
  return {
    find: (id) => findRequest(database, placeOf(id)),
    listed: (filter) => listRequests(database, filter),
    unlistedRefusals: (filter, minutes) => readUnlistedRefusals(database, filter, minutes),
  };
}

async function findRequest(database: Database, place: string): Promise<RequestDetails | null> {
  const [row] = await readStretch(database, requestSources, { projectIds: null }, only(place), 1);
  if (!row) return null;
  const { rows } = await sql<{ held: string | null; facts: string | null }>`
    SELECT cast(held AS text) AS held, NULL AS facts FROM ledger_entries WHERE id = ${`txn_${place}`}
    UNION ALL SELECT cast(held AS text), facts FROM uncharged_calls WHERE id = ${`req_${place}`}
    UNION ALL SELECT cast(amount AS text), NULL FROM holds WHERE id = ${`hold_${place}`}`.execute(database);
  const { held = null, facts = null } = rows[0] ?? {};
  return {
    request: toRequestRecord(row),
    held: held === null ? null : toNano(BigInt(held)),
    facts: facts === null ? {} : (JSON.parse(facts) as RefusalFacts),
    key: await readRequestKey(database, row.key_id),
  };
}

function listRequests(database: Database, filter: RequestFilter): PagedList<RequestRecord> {
  const sources = requestSources.filter((source) => source.conditionsOf(filter) !== null);
  const width = isSearched(filter) ? LOOKED_AT_ONCE : null;
  return {
    async has(id) {
      const place = placeOf(id);
      const found = await readStretch(database, requestSources, { projectIds: null }, only(place), 1);
      return found.length > 0;
    },
    async read({ after, before, limit }) {
      let { low, high } = boundsOf(filter);
      if (after !== undefined) high = least(high, placeOf(after));
      if (before !== undefined) low = greatest(low, beyond(placeOf(before)));
      // The page before a call is the one that ends at it: read upwards from there, then turn round.
      const isUpwards = before !== undefined && after === undefined;
      const rows: RequestRow[] = [];
      while (rows.length < limit && low < high) {
        const end = await endOfStretch(database, sources, { low, high }, isUpwards, width);
        const stretch = isUpwards ? { low, high: end ?? high } : { low: end ?? low, high };
        rows.push(...(await readStretch(database, sources, filter, stretch, limit - rows.length, isUpwards)));
        [low, high] = isUpwards ? [stretch.high, high] : [low, stretch.low];
        if (width !== null) await setImmediate();
      }
      return (isUpwards ? rows.toReversed() : rows).map(toRequestRecord);
    },
  };
}

/** Whether calls have to be passed over to find those that fit. */
function isSearched({ requestId, startMs: _start, endMs: _end, ...asked }: RequestFilter): boolean {
  return (
    requestId === undefined && Object.values(asked).some((value) => value !== undefined && value !== null)
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

/** Where a stretch of so many calls ends; null where fewer are left. */
async function endOfStretch(
  database: Database,
  sources: readonly RequestSource[],
  { low, high }: Stretch,
  isUpwards: boolean,
  width: number | null,
): Promise<string | null> {
  if (width === null) return null;
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

/** The first of a stretch's calls that fit, of all sources together. */
async function readStretch(
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

/** What follows the prefix, of a call's own id and of its charge's and hold's alike. */
function placeOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

const beyond = (place: string) => `${place}!`;
const only = (place: string): Stretch => ({ low: place, high: beyond(place) });
const least = (one: string, other: string) => (one < other ? one : other);
const greatest = (one: string, other: string) => (one > other ? one : other);
