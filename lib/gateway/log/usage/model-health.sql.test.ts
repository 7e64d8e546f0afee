import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
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
  await using temporary = await openTemporarySqlite();
  using sqlite = openSqlite(temporary.path);
  sqlite.run("PRAGMA synchronous = OFF");
  const calls = fc.sample(call, { seed, numRuns: 300 }).toSorted((one, other) => one.afterMs - other.afterMs);
  let made = 0;
  const write = (one: (typeof calls)[number], writtenMs = one.afterMs) =>
    sqlite.run(
      `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, prompt_tokens,
         completion_tokens, held, started_at_ms, stream, outcome, status, first_byte_ms, duration_ms)
       VALUES ('txn_' || ?1, 'charge', 1, ?2, 'req_' || ?1, 'proj_1', 'key_1', ?3, 1, ?4, 1, ?5, 0, ?6, 200, 500, ?7)`,
      [
        String(++made).padStart(26, "0"),
        START + writtenMs,
        one.model,
        one.completion,
        START + one.afterMs,
        one.outcome,
        one.durationMs,
      ],
    );
  const check = (written: typeof calls) => {
    for (const fromMs of [START, START + 6 * HOUR_MS, START + 2 * DAY_MS - 90 * MINUTE_MS]) {
      const since = fromMs - (fromMs % HOUR_MS);
      const found = readModelHealth(sqlite, fromMs).map(
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
  for (const one of early) write(one);
  await sumCalls(sqlite, async () => true);
  check(early);
  for (const one of late) write(one, 2 * DAY_MS);
  await sumCalls(sqlite, async () => true);
  check(calls);
  const [one] = calls.filter(({ afterMs }) => afterMs > DAY_MS);
  if (one) write(one, 2 * DAY_MS);
  await sumCalls(sqlite, async () => true);
  check(one ? [...calls, one] : calls);
});
