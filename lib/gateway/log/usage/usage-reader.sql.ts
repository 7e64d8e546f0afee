import { setImmediate } from "node:timers/promises";
import { firstIdAt } from "@/lib/contract/ids";
import { type Nano, toNano } from "@/lib/money/amount";
import type { Database } from "../../database/database";
import { type Dialect, dialectOf, type Fragment, sql } from "../../database/fragment";
import { ID_LEAD_MS } from "../requests/request-sources.sql";
import type { Bucket } from "./cut-into-buckets";
import { groupings } from "./range-query.sql";

/** Fields to group sums by. The last five are a charge's price snapshot: nano-units as text, and the unit of `rate`. */
export type GroupField =
  | "project_id"
  | "user_id"
  | "api_key_id"
  | "model"
  /** "true" for lines of batches, otherwise "false". */
  | "batch"
  | "input_per_1m"
  | "output_per_1m"
  | "audio_input_per_1m"
  | "rate"
  | "unit";

/** Which calls to sum. An absent list selects all. */
export interface CallSelection {
  /** Consecutive, each within one multiple of `widthMs`: a minute, an hour or a day. */
  readonly buckets: readonly Bucket[];
  readonly widthMs: number;
  readonly groupBy: readonly GroupField[];
  /**
   * Leaves out calls that were neither charged nor used, and does not separate requests that cost nothing; set for
   * costs.
   */
  readonly chargedOnly: boolean;
  readonly projectIds?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly apiKeyIds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly exceptModels?: readonly string[] | undefined;
  /** True selects lines of batches, false live calls. */
  readonly batch?: boolean | undefined;
  /** Whether to sum `mediaOutput` too, which only the calls themselves contain. */
  readonly countsMade?: boolean;
}

/** The sum of the calls of one bucket and one group. */
export interface CallSum {
  /** The bucket's index in `buckets`. */
  readonly bucket: number;
  /** The values of the group's fields; null if the calls have none. */
  readonly group: Readonly<Partial<Record<GroupField, string | null>>>;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the provider had cached. */
  readonly cachedTokens: number;
  /** The parts of the input and the output that are audio. */
  readonly audioInputTokens: number;
  readonly audioOutputTokens: number;
  readonly amount: Nano;
  /** Absent unless it was asked for. */
  readonly mediaOutput?: MadeSum;
}

/** What calls that are priced by the unit made or read. */
interface MadeSum {
  /** Files of tasks. */
  readonly files: number;
  /** Millionths of characters, seconds and so on; minutes count as seconds. */
  readonly parts: number;
}

export interface SelectionReader {
  /** Answers a selection from the precomputed sums; null if only the calls themselves can. */
  sumSelection(selection: CallSelection): Promise<CallSum[] | null>;
}

/** Answers from the precomputed sums if they suffice, and otherwise call by call. */
export function bySumsOrCalls(sums: SelectionReader, calls: UsageReader): UsageReader {
  return {
    sumCalls: async (selection) => (await sums.sumSelection(selection)) ?? (await calls.sumCalls(selection)),
  };
}

/** A table of calls. Ids sort by time and are indexed, so a time range is a range of ids. */
interface Source {
  readonly table: Fragment<unknown>;
  readonly idPrefix: "txn" | "req";
  /** When a call was admitted. */
  readonly at: Fragment<unknown>;
  readonly isCounted: Fragment<unknown>;
  readonly sums: (dialect: Dialect) => Fragment<unknown>;
  /** What its calls made, see `MadeSum`. */
  readonly made: (dialect: Dialect) => Fragment<unknown>;
  /** Fields that its calls don't have. */
  readonly lacks: readonly GroupField[];
}

const charges: Source = {
  table: sql`ledger_entries`,
  idPrefix: "txn",
  at: sql`call.started_at_ms`,
  isCounted: sql`kind = 'charge'`,
  sums: ({ jsonNumber }) => sql`sum(prompt_tokens) AS input, sum(completion_tokens) AS output,
    sum(coalesce(cached_tokens, 0)) AS cached,
    sum(coalesce(${jsonNumber(sql`audio`, "prompt_tokens")}, 0)) AS audio_input,
    sum(coalesce(${jsonNumber(sql`audio`, "completion_tokens")}, 0)) AS audio_output,
    cast(sum(amount) AS text) AS amount`,
  made: ({ jsonLength }) => sql`,
    sum(coalesce(CASE WHEN unit = 'minute' THEN units * 60 ELSE units END, 0)) AS parts,
    sum(CASE WHEN unit IS NULL THEN 0 ELSE coalesce(
      (SELECT ${jsonLength(sql`outputs`)} FROM tasks WHERE tasks.request_id = call.request_id), 0) END) AS files`,
  lacks: [],
};

const unchargedCalls: Source = {
  table: sql`uncharged_calls`,
  idPrefix: "req",
  at: sql`call.at_ms`,
  isCounted: sql`outcome NOT IN ('refused', 'unsent')`,
  sums: () => sql`0 AS input, 0 AS output, 0 AS cached, 0 AS audio_input, 0 AS audio_output, '0' AS amount`,
  made: () => sql`, 0 AS parts, 0 AS files`,
  lacks: ["input_per_1m", "output_per_1m", "audio_input_per_1m", "rate", "unit"],
};

/** A call is booked under the key that made it, or under the member who made it in a session. */
const columns: Record<Exclude<GroupField, "audio_input_per_1m">, Fragment<unknown>> = {
  project_id: groupings.project_id,
  user_id: groupings.user_id,
  api_key_id: groupings.api_key_id,
  model: groupings.model,
  batch: sql`CASE WHEN batch_id IS NULL THEN 'false' ELSE 'true' END`,
  input_per_1m: sql`cast(input_per_1m AS text)`,
  output_per_1m: sql`cast(output_per_1m AS text)`,
  rate: sql`cast(rate AS text)`,
  unit: sql`unit`,
};

/** Calls summed before other work gets its turn: about a millisecond. */
const BATCH_SIZE = 1_000;

interface Piece {
  readonly bucket: number;
  /** The range of admission times, and the possible ids. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly from: string;
  readonly to: string;
}

type Row = Record<string, string | null> & {
  bucket: number;
  requests: number;
  input: number;
  output: number;
  cached: number;
  audio_input: number;
  audio_output: number;
  parts?: number;
  files?: number;
};

export type UsageReader = ReturnType<typeof createUsageReader>;

/**
 * Sums call by call, in SQL and in pieces of some thousands, so that neither many calls nor a busy day delays other
 * requests. Used if the precomputed sums don't suffice.
 */
export function createUsageReader(database: Database, batchSize = BATCH_SIZE) {
  return {
    /** Sums the calls that reached a provider, by their time of admission; ordered by bucket, then by group. */
    async sumCalls(selection: CallSelection): Promise<CallSum[]> {
      const sums = new Map<string, CallSum>();
      for (const source of selection.chargedOnly ? [charges] : [charges, unchargedCalls]) {
        for await (const row of sumSource(database, source, selection, batchSize))
          add(sums, row, selection.groupBy);
      }
      const orderedSums = [...sums]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, sum]) => sum);
      return selection.chargedOnly ? orderedSums.filter(isUsed) : orderedSums;
    },
  };
}

const isUsed = ({ inputTokens, outputTokens, amount }: CallSum) =>
  inputTokens + outputTokens > 0 || amount > 0n;

async function* sumSource(database: Database, source: Source, selection: CallSelection, batchSize: number) {
  const pieces = selection.buckets.map((bucket, index) => buildPiece(source, bucket, index));
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return;
  for (let from = first.from; from < last.to; await setImmediate()) {
    const to = (await findIdAfter(database, source, { from, to: last.to, count: batchSize })) ?? last.to;
    yield* (await sumPieces(database, source, clipPieces(pieces, from, to), selection)).rows;
    from = to;
  }
}

/** The parts of the pieces that lie in a range of ids. */
function clipPieces(pieces: readonly Piece[], from: string, to: string): Piece[] {
  return pieces
    .filter((piece) => piece.to > from && piece.from < to)
    .map((piece) => ({
      ...piece,
      from: piece.from > from ? piece.from : from,
      to: piece.to < to ? piece.to : to,
    }));
}

function buildPiece({ idPrefix }: Source, { startTime, endTime }: Bucket, bucket: number): Piece {
  const [fromMs, toMs] = [startTime * 1000, endTime * 1000];
  const first = (ms: number) => firstIdAt(idPrefix, Math.max(0, ms));
  return { bucket, fromMs, toMs, from: first(fromMs - ID_LEAD_MS), to: first(toMs) };
}

async function findIdAfter(
  database: Database,
  { table }: Source,
  { from, to, count }: { from: string; to: string; count: number },
) {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${table} WHERE id >= ${from} AND id < ${to} ORDER BY id
    LIMIT 1 OFFSET ${count}`.execute(database);
  return rows[0]?.id;
}

function sumPieces(
  database: Database,
  { table, at, isCounted, sums, made, lacks }: Source,
  pieces: readonly Piece[],
  { groupBy, countsMade = false, ...selection }: CallSelection,
) {
  const dialect = dialectOf(database);
  const read = (field: GroupField) =>
    field === "audio_input_per_1m" ? dialect.jsonText(sql`audio`, "input_per_1m") : columns[field];
  const groups = groupBy.map(
    (field) => sql`, ${lacks.includes(field) ? sql`NULL` : read(field)} AS ${sql.ref(`by_${field}`)}`,
  );
  const given = dialect.givenRows(pieces, {
    bucket: "integer",
    from: "text",
    to: "text",
    fromMs: "integer",
    toMs: "integer",
  });
  return sql<Row>`
    SELECT given.bucket, count(*) AS requests, ${sums(dialect)} ${countsMade ? made(dialect) : sql``} ${sql.join(groups, sql``)}
    FROM ${given} CROSS JOIN ${table} AS call
    WHERE call.id >= given."from" AND call.id < given."to" AND ${at} >= given."fromMs" AND ${at} < given."toMs"
      AND ${isCounted} ${sql.join(buildFilters(dialect, selection), sql` `)}
    GROUP BY 1 ${sql.join(
      groupBy.map((field) => sql`, ${sql.ref(`by_${field}`)}`),
      sql``,
    )}`.execute(database);
}

function buildFilters(
  { isListed }: Dialect,
  selection: Omit<CallSelection, "groupBy" | "countsMade">,
): Fragment<unknown>[] {
  const { projectIds, userIds, apiKeyIds, models, exceptModels, batch } = selection;
  const isIn = (column: Fragment<unknown>, values: readonly string[] | undefined) =>
    values && sql`AND ${isListed(column, values)}`;
  const conditions = [
    isIn(columns.project_id, projectIds),
    isIn(columns.user_id, userIds),
    isIn(columns.api_key_id, apiKeyIds),
    isIn(columns.model, models),
    exceptModels && sql`AND NOT ${isListed(columns.model, exceptModels)}`,
    batch === undefined ? undefined : batch ? sql`AND batch_id IS NOT NULL` : sql`AND batch_id IS NULL`,
  ];
  return conditions.filter((filter) => filter !== undefined);
}

function add(sums: Map<string, CallSum>, row: Row, groupBy: readonly GroupField[]): void {
  const { bucket } = row;
  const group = Object.fromEntries(groupBy.map((field) => [field, row[`by_${field}`] ?? null]));
  const key = JSON.stringify([String(bucket).padStart(4, "0"), ...groupBy.map((field) => group[field])]);
  const sum = sums.get(key);
  const amount: Nano = toNano((sum?.amount ?? 0n) + BigInt(row.amount ?? 0));
  sums.set(key, {
    bucket,
    group,
    requests: (sum?.requests ?? 0) + row.requests,
    inputTokens: (sum?.inputTokens ?? 0) + row.input,
    outputTokens: (sum?.outputTokens ?? 0) + row.output,
    cachedTokens: (sum?.cachedTokens ?? 0) + row.cached,
    audioInputTokens: (sum?.audioInputTokens ?? 0) + row.audio_input,
    audioOutputTokens: (sum?.audioOutputTokens ?? 0) + row.audio_output,
    amount,
    ...(row.parts !== undefined && {
      mediaOutput: {
        parts: (sum?.mediaOutput?.parts ?? 0) + row.parts,
        files: (sum?.mediaOutput?.files ?? 0) + (row.files ?? 0),
      },
    }),
  });
}
