import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { openTemporarySqlite } from "@/lib/gateway/database/testing/open-temporary-database";
import { createRequestLogReader } from "@/lib/gateway/log/requests/request-log-reader.sql";
import type { RequestFilter } from "@/lib/gateway/log/requests/request-record";
import { SUMMING_BATCH_SIZE, sumCalls } from "@/lib/gateway/log/sums/sum-calls.sql";
import { toNano } from "@/lib/money/amount";
import { keyIdAt, modelIdAt, projectIdAt, rare, SEEDED_UNTIL_MS, seedCalls } from "./seed-calls";

const CALLS = 1_460;
/** Charges and other calls are summed in the same steps, at most this many of each per step. */
const NEARLY_ALL_STEPS = Math.floor((0.7 * CALLS) / SUMMING_BATCH_SIZE);

/** Filters by the SQL condition that they stand for. */
const filters: [string, Partial<RequestFilter>][] = [
  [`key_id = '${rare.keyId}'`, { keyIds: [rare.keyId] }],
  [`model = '${modelIdAt(3)}'`, { model: modelIdAt(3) }],
  [
    `project_id = '${projectIdAt(0)}' AND key_id = '${keyIdAt(1)}'`,
    { projectIds: [projectIdAt(0)], keyIds: [keyIdAt(1)] },
  ],
  [`status = ${rare.status}`, { status: rare.status }],
  ["refused_by = 'max_requests_per_1_minute'", { refusedBy: "max_requests_per_1_minute" }],
  ["outcome = 'client_gone'", { outcome: "client_gone" }],
  ["duration_ms >= 4000", { minDurationMs: 4_000 }],
  ["amount >= 350000", { minAmount: toNano(350_000n) }],
  [
    `at_ms >= ${SEEDED_UNTIL_MS - DAY_MS} AND model = '${modelIdAt(0)}'`,
    { startMs: SEEDED_UNTIL_MS - DAY_MS, model: modelIdAt(0) },
  ],
  ["0", { keyIds: ["key_none"] }],
];

test("a search finds exactly the matching calls in both directions, however many are summed", async () => {
  await using temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path);
  seedCalls(sqlite, CALLS);
  const log = createRequestLogReader(temporary.reads);
  const expected = (condition: string) =>
    sqlite
      .query<{ id: string }, []>(
        `SELECT id FROM (
           SELECT request_id AS id, key_id, model, project_id, status, outcome, duration_ms, amount, started_at_ms AS at_ms,
             NULL AS refused_by FROM ledger_entries WHERE kind = 'charge'
           UNION ALL SELECT id, key_id, model, project_id, status, outcome, duration_ms, NULL, at_ms, refused_by
             FROM uncharged_calls) WHERE ${condition} ORDER BY id DESC`,
      )
      .all()
      .map(({ id }) => id);
  let steps = 0;
  for (const summed of ["nothing", "nearly all", "all"]) {
    if (summed === "nearly all") await sumCalls(temporary.direct, async () => ++steps < NEARLY_ALL_STEPS);
    if (summed === "all") await sumCalls(temporary.direct, async () => true);
    for (const [condition, filter] of filters) {
      const whole = expected(condition);
      const listed = log.listed({ projectIds: null, ...filter });
      const ids = (await listed.read({ limit: CALLS })).map(({ id }) => id);
      expect([summed, condition, ids]).toEqual([summed, condition, whole]);
      const middle = whole[Math.floor(whole.length / 2)];
      if (middle === undefined) continue;
      const before = await listed.read({ limit: CALLS, before: middle });
      const after = await listed.read({ limit: CALLS, after: middle });
      expect([...before.map(({ id }) => id), middle, ...after.map(({ id }) => id)]).toEqual(whole);
    }
  }
  sqlite.close();
});

test("the sums and the calls not yet summed together equal all calls", async () => {
  await using temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path);
  // All together these are more calls than are counted one by one; those of a single day are fewer.
  seedCalls(sqlite, 6_000);
  const log = createRequestLogReader(temporary.reads, 1_000);
  const span = { fromMs: SEEDED_UNTIL_MS - 90 * DAY_MS, toMs: SEEDED_UNTIL_MS + DAY_MS, widthMs: DAY_MS };
  expect(await log.count({ projectIds: null }, span)).toBeNull();
  await sumCalls(temporary.direct, async () => true);
  const ofDay = { ...span, fromMs: SEEDED_UNTIL_MS - DAY_MS, widthMs: 900_000 };
  for (const filter of [{}, { model: modelIdAt(1) }, { projectIds: [projectIdAt(2)] }, { status: 502 }]) {
    const asked = { projectIds: null, ...filter };
    const calls = (counted: Awaited<ReturnType<typeof log.count>>, fromMs: number) =>
      (counted?.counts ?? [])
        .filter(({ startMs, outcome }) => startMs >= fromMs && outcome !== "refused")
        .reduce((sum, count) => sum + count.calls, 0);
    const midnight = SEEDED_UNTIL_MS - (SEEDED_UNTIL_MS % DAY_MS);
    const bySums = await log.count(asked, span);
    expect(bySums?.widthMs).toBe(DAY_MS);
    const oneByOne = await log.count(asked, ofDay);
    expect(oneByOne?.widthMs).toBe(900_000);
    expect(calls(bySums, midnight)).toBe(calls(oneByOne, midnight));
  }
  const all = await log.count({ projectIds: null }, span);
  const charged = sqlite
    .query<{ amount: number }, []>("SELECT sum(amount) AS amount FROM ledger_entries")
    .get()?.amount;
  expect(all?.counts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(BigInt(charged ?? 0));
  sqlite.close();
});
