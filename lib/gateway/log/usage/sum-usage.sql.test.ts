import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { Database } from "../../database/database";
import { expectSummaryOfSums } from "../../database/testing/expect-summary-of-sums";
import { isOnPostgres, openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { readLastEntrySeq } from "../../ledger/reads/read-spent.sql";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { findLastSummedEntry, sumCalls } from "../sums/sum-calls.sql";
import { addLatencies, sumUsage } from "./sum-usage.sql";
import { computeBucketMiddleMs, findBucket } from "./usage-tally";

const START = Date.UTC(2027, 0, 15, 10, 20, 30);
/** The time of the last call, after the start. */
const LAST_MS = 41 * DAY_MS;

const names = (prefix: string) => fc.constantFrom(`${prefix}_1`, `${prefix}_2`, `${prefix}_3`);
const call = fc.record({
  // The calls are of two times, so that the hours of the first are no longer kept by dimension.
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: 5 * DAY_MS }),
    fc.integer({ min: LAST_MS - 5 * DAY_MS, max: LAST_MS }),
  ),
  project: names("proj"),
  key: fc.oneof(names("key"), names("user")),
  model: names("model"),
  provider: fc.oneof(names("provider"), fc.constant(null)),
  cached: fc.option(fc.integer({ min: 0, max: 1_000 })),
  audio: fc.option(fc.record({ heard: fc.nat({ max: 1_000 }), spoken: fc.nat({ max: 1_000 }) })),
  prompt: fc.integer({ min: 0, max: 1_000_000 }),
  completion: fc.integer({ min: 0, max: 1_000_000 }),
  amount: fc.bigInt({ min: 0n, max: 10n ** 16n }),
  durationMs: fc.integer({ min: 0, max: 600_000 }),
  outcome: fc.constantFrom(
    "completed",
    "completed",
    "client_gone",
    "provider_failed",
    "interrupted",
    "unsent",
    "refused",
  ),
});
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

const isCharged = ({ outcome }: Call) => !["provider_failed", "unsent", "refused"].includes(outcome);

type Random = (bytes: number) => Uint8Array;

/** Writes calls as the ledger writer does, in the order of their time; late ones after all others. */
async function insert(queries: Database, calls: readonly Call[], random: Random, areLate = false) {
  await queries.transaction().execute(async (transaction) => {
    for (const one of calls.toSorted((first, second) => first.afterMs - second.afterMs)) {
      const atMs = START + one.afterMs;
      const id = newId("req", atMs, random);
      await buildInsert(one, { id, atMs, writtenMs: areLate ? START + LAST_MS : atMs }).execute(transaction);
    }
  });
}

function buildInsert(one: Call, { id, atMs, writtenMs }: { id: string; atMs: number; writtenMs: number }) {
  const { provider, prompt, completion, cached, audio, amount, durationMs, outcome } = one;
  const origin = sql.join([one.project, one.key, one.model]);
  if (outcome === "refused")
    return sql`
      INSERT INTO refusal_counts (minute_ms, project_id, key_id, model, refused_by, refusals, estimated_tokens)
      VALUES (${atMs - (atMs % MINUTE_MS)}, ${origin}, 'balance', 3, 3)
      ON CONFLICT (minute_ms, project_id, key_id, model, refused_by)
      DO UPDATE SET refusals = refusal_counts.refusals + 3`;
  if (!isCharged(one))
    return sql`
      INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens,
        duration_ms, provider)
      VALUES (${id}, ${atMs}, ${origin}, 0, ${outcome}, 502, 1, ${durationMs}, ${provider})`;
  const heard = audio && JSON.stringify({ prompt_tokens: audio.heard, completion_tokens: audio.spoken });
  return sql`
    INSERT INTO ledger_entries (id, kind, amount, created_at_ms, basis, request_id, project_id, key_id, model,
      prompt_tokens, completion_tokens, held, started_at_ms, stream, outcome, status, first_byte_ms, duration_ms,
      provider, cached_tokens, audio)
    VALUES (${`txn_${id.slice(4)}`}, 'charge', ${amount}, ${writtenMs}, 'reported', ${id}, ${origin}, ${prompt},
      ${completion}, ${amount}, ${atMs}, 0, ${outcome}, 200, NULL, ${durationMs}, ${provider}, ${cached}, ${heard})`;
}

/** The same figures, computed from the calls. */
function expected(calls: readonly Call[], widthMs: number, findGroup: (one: Call) => string | null) {
  const sums = new Map<string, (string | number)[]>();
  const findStart = ({ afterMs }: Call) => START + afterMs - ((START + afterMs) % widthMs);
  const kinds = new Map<string, Call[]>();
  for (const one of calls.filter(({ outcome }) => outcome !== "unsent")) {
    const kind = JSON.stringify([findGroup(one), findStart(one)]);
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  for (const [kind, own] of kinds) {
    const count = (isOne: (one: Call) => boolean) => own.filter(isOne).length;
    const sum = (value: (one: Call) => number) =>
      own.filter(isCharged).reduce((total, one) => total + value(one), 0);
    const durations = own
      .filter(({ outcome }) => outcome === "completed")
      .map(({ durationMs }) => computeBucketMiddleMs(findBucket(durationMs)))
      .toSorted((one, other) => one - other);
    const figures = [
      count(({ outcome }) => outcome !== "refused"),
      count(({ outcome }) => outcome === "provider_failed" || outcome === "interrupted"),
      3 * count(({ outcome }) => outcome === "refused"),
      sum(({ prompt }) => prompt),
      sum(({ completion }) => completion),
      sum(({ cached }) => cached ?? 0),
      sum(({ audio }) => audio?.heard ?? 0),
      sum(({ audio }) => audio?.spoken ?? 0),
      String(own.filter(isCharged).reduce((total, { amount }) => total + amount, 0n)),
      durations[Math.ceil(durations.length / 2) - 1] ?? -1,
    ];
    sums.set(kind, figures);
  }
  return Object.fromEntries([...sums].toSorted());
}

/** A refused call has no provider. */
function findProvider({ outcome, provider }: Call): string | null {
  return outcome === "refused" ? null : provider;
}

const dimensions = {
  project_id: ({ project }: Call) => project,
  model: ({ model }: Call) => model,
  provider: findProvider,
  api_key_id: ({ key }: Call) => (key.startsWith("user_") ? null : key),
  user_id: ({ key }: Call) => (key.startsWith("user_") ? key : null),
};

const query = fc.record({
  fromMinute: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 51_000, max: 55_000 })),
  minutes: fc.oneof(fc.integer({ min: 1, max: 7_500 }), fc.integer({ min: 1, max: 60_000 })),
  widthMs: fc.constantFrom(MINUTE_MS, HOUR_MS, DAY_MS),
  groupBy: fc.constantFrom(null, "project_id", "model", "provider", "api_key_id", "user_id"),
  projectIds: fc.constantFrom(null, ["proj_1"], ["proj_1", "proj_3"], []),
  model: fc.constantFrom(undefined, undefined, "model_2"),
  provider: fc.constantFrom(undefined, undefined, "provider_3"),
  key: fc.constantFrom(undefined, undefined, "key_1", "user_1"),
  isUntilNow: fc.boolean(),
});
type DrawnQuery = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

async function compare(queries: Database, calls: readonly Call[], drawn: DrawnQuery): Promise<void> {
  const { fromMinute, minutes, widthMs, groupBy, projectIds, model, provider, key, isUntilNow } = drawn;
  const fromMs = START - (START % MINUTE_MS) + fromMinute * MINUTE_MS;
  // A range until now ends within a minute, and later than the last call.
  const toMs = isUntilNow ? START + LAST_MS + 1_000 : fromMs + minutes * MINUTE_MS;
  const filter = { projectIds, model, provider, ...(key !== undefined && { keyIds: [key] }) };
  const range = { filter, fromMs, toMs, widthMs, groupBy, isUntilNow };
  const { tallies } = await sumUsage(queries, range);
  await addLatencies(queries, tallies, range);
  const found = [...tallies].flatMap(([group, tally]) =>
    tally.buckets().map((bucket) => {
      const { requests, errors, refusals, promptTokens, completionTokens, cachedTokens, amount } = bucket;
      const audio = [bucket.audioPromptTokens, bucket.audioCompletionTokens];
      const tokens = [promptTokens, completionTokens, cachedTokens, ...audio];
      const figures = [requests, errors, refusals, ...tokens, String(amount)];
      const all: (string | number)[] = [...figures, bucket.durationP50Ms ?? -1];
      return [JSON.stringify([group, bucket.startMs]), all] as const;
    }),
  );
  const fitting = calls.filter(
    (one) =>
      START + one.afterMs >= fromMs &&
      START + one.afterMs < toMs &&
      (projectIds === null || projectIds.some((id) => id === one.project)) &&
      (model === undefined || model === one.model) &&
      (provider === undefined || provider === findProvider(one)) &&
      (key === undefined || key === one.key),
  );
  const findGroup = groupBy === null ? () => null : dimensions[groupBy];
  const isSomething = ([, [requests, , refusals]]: (typeof found)[number]) =>
    Number(requests) + Number(refusals) > 0;
  expect(Object.fromEntries(found.filter(isSomething).toSorted())).toEqual(
    expected(fitting, widthMs, findGroup),
  );
  await expectSummaryOfSums(queries, range);
}

test("sums of any stretch, filter and grouping are those of its calls, however many of them are summed", async () => {
  const seed = Date.now() % 2 ** 31;
  const { random } = simulatedRuntime();
  await using temporary = await openTemporaryDatabase();
  const queries = temporary.direct;
  const calls = fc.sample(call, { seed, numRuns: 300 });
  await insert(queries, calls, random);
  const compareAll = () =>
    fc.assert(
      fc.asyncProperty(query, (drawn) => compare(queries, calls, drawn)),
      { seed, numRuns: isOnPostgres ? 5 : 50 },
    );
  for (const steps of [0, 1, 2, 20, 60, Number.POSITIVE_INFINITY]) {
    let done = 0;
    if (steps > 0) await sumCalls(queries, async () => ++done < steps);
    await compareAll();
  }
  expect([seed, (await readLastEntrySeq(queries)) - (await findLastSummedEntry(queries))]).toEqual([seed, 0]);
  const late = fc.sample(call, { seed: seed + 1, numRuns: 100 });
  await insert(queries, late, random, true);
  calls.push(...late);
  for (const isSummed of [false, true]) {
    if (isSummed) await sumCalls(queries, async () => true);
    await compareAll();
  }
});
