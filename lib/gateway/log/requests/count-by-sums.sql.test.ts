import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { sumCalls } from "../sums/sum-calls.sql";
import { createRequestLogReader } from "./request-log-reader.sql";

const START = Date.UTC(2027, 0, 15, 10);

const call = fc.record({
  atMs: fc.integer({ min: START, max: START + 5 * DAY_MS }),
  bodyMs: fc.integer({ min: 0, max: 60_000 }),
  durationMs: fc.integer({ min: 1, max: 2 * MINUTE_MS }),
  amount: fc.bigInt({ min: 0n, max: 1_000n }),
  projectId: fc.constantFrom("proj_1", "proj_2", "proj_3"),
  model: fc.constantFrom("m1", "m2"),
  outcome: fc.constantFrom("completed", "provider_failed"),
});

const question = fc.record({
  fromMs: fc.integer({ min: START - DAY_MS, max: START + 5 * DAY_MS }),
  lengthMs: fc.integer({ min: 1, max: 5 * DAY_MS }),
  widthMs: fc.constantFrom(MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 8 * HOUR_MS, DAY_MS),
  projectIds: fc.constantFrom<string[] | null>(null, ["proj_1"], ["proj_1", "proj_2"]),
  model: fc.constantFrom(undefined, "m1"),
});

test("ended calls are counted by bucket exactly, however far they are summed", async () => {
  const seed = Date.now() % 2 ** 31;
  const { random } = simulatedRuntime();
  await using temporary = await openTemporaryDatabase();
  const queries = temporary.direct;
  const calls = fc.sample(call, { seed, numRuns: 400 }).toSorted((one, other) => one.atMs - other.atMs);
  await queries.transaction().execute(async (transaction) => {
    for (const { atMs, bodyMs, durationMs, amount, projectId, model, outcome } of calls) {
      const id = newId("txn", atMs - bodyMs, random);
      await sql`
        INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model,
          prompt_tokens, completion_tokens, held, started_at_ms, stream, outcome, status)
        VALUES (${id}, 'charge', ${amount}, ${atMs + durationMs}, ${`req_${id.slice(4)}`}, ${projectId}, 'key_1', ${model},
          1, 1, ${amount}, ${atMs}, 0, ${outcome}, 200)`.execute(transaction);
    }
  });
  const reader = createRequestLogReader(temporary.reads);
  for (const steps of [0, 2, 1_000]) {
    let done = 0;
    if (steps > 0) await sumCalls(queries, async () => ++done < steps);
    for (const asked of fc.sample(question, { seed, numRuns: 150 })) {
      const { fromMs, lengthMs, widthMs, projectIds, model } = asked;
      const toMs = fromMs + lengthMs;
      const found = await reader.count({ projectIds, ...(model && { model }) }, { fromMs, toMs, widthMs });
      const firstMs = fromMs - (fromMs % widthMs);
      const matching = calls.filter(
        (one) =>
          one.atMs >= firstMs &&
          one.atMs < toMs &&
          (projectIds?.includes(one.projectId) ?? true) &&
          (model ?? one.model) === one.model,
      );
      const expected = new Map<string, { calls: number; amount: bigint }>();
      for (const { atMs, outcome, amount } of matching)
        addTo(expected, `${atMs - (atMs % widthMs)} ${outcome}`, { calls: 1, amount });
      const counted = new Map<string, { calls: number; amount: bigint }>();
      for (const { startMs, outcome, ...count } of found?.counts ?? [])
        addTo(counted, `${startMs} ${outcome}`, count);
      expect([seed, steps, asked, found?.widthMs, counted]).toEqual([seed, steps, asked, widthMs, expected]);
    }
  }
});

function addTo(
  sums: Map<string, { calls: number; amount: bigint }>,
  name: string,
  count: { calls: number; amount: bigint },
): void {
  const sum = sums.get(name) ?? { calls: 0, amount: 0n };
  sums.set(name, { calls: sum.calls + count.calls, amount: sum.amount + count.amount });
}
