import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../sums/sum-calls.sql";
import { readModelHealth } from "./model-health.sql";

const START = Date.UTC(2027, 0, 15, 7, 20);

const call = fc.record({
  afterMs: fc.integer({ min: 0, max: 2 * DAY_MS }),
  model: fc.constantFrom("m1", "m2", "m3"),
  outcome: fc.constantFrom("completed", "completed", "provider_failed", "interrupted", "client_gone"),
  durationMs: fc.integer({ min: 1_000, max: 60_000 }),
  completion: fc.integer({ min: 0, max: 5_000 }),
});

test("the health of models is that of their calls, however far these are summed, and with late ones", async () => {
  const seed = Date.now() % 2 ** 31;
  await using temporary = await openTemporaryDatabase();
  const queries = temporary.direct;
  const calls = fc.sample(call, { seed, numRuns: 300 }).toSorted((one, other) => one.afterMs - other.afterMs);
  let made = 0;
  const write = (one: (typeof calls)[number], writtenMs = one.afterMs) => {
    const id = String(++made).padStart(26, "0");
    return sql`
      INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, prompt_tokens,
        completion_tokens, held, started_at_ms, stream, outcome, status, first_byte_ms, duration_ms)
      VALUES (${`txn_${id}`}, 'charge', 1, ${START + writtenMs}, ${`req_${id}`}, 'proj_1', 'key_1', ${one.model}, 1,
        ${one.completion}, 1, ${START + one.afterMs}, 0, ${one.outcome}, 200, 500, ${one.durationMs})`.execute(
      queries,
    );
  };
  const check = async (written: typeof calls) => {
    for (const fromMs of [START, START + 6 * HOUR_MS, START + 2 * DAY_MS - 90 * MINUTE_MS]) {
      const since = fromMs - (fromMs % HOUR_MS);
      const found = (await readModelHealth(queries, fromMs)).map(
        ({ model, calls: count, errors, tokensPerSecond }) => {
          return [model, count, errors, tokensPerSecond === null];
        },
      );
      const expected = ["m1", "m2", "m3"].flatMap((model) => {
        const own = written.filter((one) => one.model === model && START + one.afterMs >= since);
        const completed = own.filter(({ outcome }) => outcome === "completed");
        const failed = own.filter(({ outcome }) => outcome === "provider_failed");
        const hasTokens = completed.some(({ completion }) => completion > 0);
        return own.length === 0 ? [] : [[model, own.length, failed.length, !hasTokens]];
      });
      expect([seed, fromMs, found.toSorted()]).toEqual([seed, fromMs, expected.toSorted()]);
    }
  };
  const late = calls.filter((_, index) => index % 10 === 3);
  const early = calls.filter((one) => !late.includes(one));
  for (const one of early) await write(one);
  await sumCalls(queries, async () => true);
  await check(early);
  for (const one of late) await write(one, 2 * DAY_MS);
  await sumCalls(queries, async () => true);
  await check(calls);
  const [one] = calls.filter(({ afterMs }) => afterMs > DAY_MS);
  if (one) await write(one, 2 * DAY_MS);
  await sumCalls(queries, async () => true);
  await check(one ? [...calls, one] : calls);
});
