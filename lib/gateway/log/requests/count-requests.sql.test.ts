import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { HOUR_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { sumCalls } from "../sums/sum-calls.sql";
import { createRequestLogReader } from "./request-log-reader.sql";
import type { RequestFilter } from "./request-record";

const START = Date.UTC(2027, 0, 15, 10);

const call = fc.record({
  afterMs: fc.integer({ min: 0, max: 30 * HOUR_MS }),
  bodyMs: fc.integer({ min: 0, max: 60_000 }),
  amount: fc.constantFrom(1n, 2n, 2n, 1_000n, 5_000n),
  durationMs: fc.constantFrom(10, 20, 20, 4_000),
  provider: fc.constantFrom("p1", "p2"),
});

test("few calls that cost or took much are counted among many, hour by hour, and never in part", async () => {
  const seed = Date.now() % 2 ** 31;
  const { random } = simulatedRuntime();
  await using temporary = await openTemporaryDatabase();
  const queries = temporary.direct;
  const calls = fc.sample(call, { seed, numRuns: 200 });
  await queries.transaction().execute(async (transaction) => {
    for (const { afterMs, bodyMs, amount, durationMs, provider } of calls) {
      const atMs = START + HOUR_MS + afterMs;
      const id = newId("txn", atMs - bodyMs, random);
      await sql`
        INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model,
          prompt_tokens, completion_tokens, held, started_at_ms, stream, outcome, status, duration_ms, provider)
        VALUES (${id}, 'charge', ${amount}, ${atMs}, ${`req_${id.slice(4)}`}, 'proj_1', 'key_1', 'm', 1, 1, ${amount},
          ${atMs}, 0, 'completed', 200, ${durationMs}, ${provider})`.execute(transaction);
    }
  });
  await sql`INSERT INTO refusal_counts VALUES (${START}, 'proj_1', 'key_1', 'm', 'balance', 7, 1)`.execute(
    queries,
  );
  const span = { fromMs: START, toMs: START + 40 * HOUR_MS, widthMs: HOUR_MS };
  const asked: Omit<RequestFilter, "projectIds">[] = [
    { minAmount: toNano(1_000n) },
    { minDurationMs: 4_000 },
    { minAmount: toNano(5_000n), minDurationMs: 4_000, provider: "p1" },
    { provider: "p2" },
    { minAmount: toNano(6_000n) },
  ];
  for (const steps of [0, 1, 100]) {
    let done = 0;
    if (steps > 0) await sumCalls(queries, async () => ++done < steps);
    for (const one of asked) {
      const filter = { ...one, projectIds: null };
      const [few, many] = await Promise.all(
        [190, 60_000].map((max) => createRequestLogReader(temporary.reads, max).count(filter, span)),
      );
      const expected = calls.filter(
        ({ amount, durationMs, provider }) =>
          amount >= (one.minAmount ?? 0n) &&
          durationMs >= (one.minDurationMs ?? 0) &&
          (one.provider ?? provider) === provider,
      ).length;
      const countCalls = (counted: typeof many) => counted?.counts.reduce((sum, { calls: n }) => sum + n, 0);
      expect([seed, steps, countCalls(many)]).toEqual([seed, steps, expected]);
      // If the possible hours contain too many calls, the result is null.
      if (few !== null) expect([seed, steps, one, countCalls(few)]).toEqual([seed, steps, one, expected]);
    }
  }
  const count = (filter: Omit<RequestFilter, "projectIds">, max: number) =>
    createRequestLogReader(temporary.reads, max).count({ ...filter, projectIds: null }, span);
  expect(await count({ minAmount: toNano(1n) }, 100)).toBeNull();
  expect(await count({ minAmount: toNano(6_000n) }, 100)).toMatchObject({ counts: [] });
});
