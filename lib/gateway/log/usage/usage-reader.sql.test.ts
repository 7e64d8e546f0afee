import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { HOUR_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { Database } from "../../database/database";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { sumCalls } from "../sums/sum-calls.sql";
import { cutIntoBuckets } from "./cut-into-buckets";
import { itemFields, itemizeCosts, sumLineItems } from "./itemize-costs";
import { sumSelection } from "./sum-selection.sql";
import { type CallSelection, createUsageReader } from "./usage-reader.sql";

const DAY = 86_400;

const names = (prefix: string) => fc.constantFrom(`${prefix}_1`, `${prefix}_2`, `${prefix}_3`);
const call = fc.record({
  /** Milliseconds after the start of the range. */
  atMs: fc.oneof(
    fc.integer({ min: 0, max: 3 * DAY * 1000 - 1 }),
    fc.constantFrom(0, DAY * 1000 - 1, DAY * 1000),
  ),
  project: names("proj"),
  key: fc.oneof(names("key"), names("user")),
  model: names("model"),
  prompt: fc.integer({ min: 0, max: 1_000_000 }),
  completion: fc.integer({ min: 0, max: 1_000_000 }),
  amount: fc.bigInt({ min: 0n, max: 10n ** 16n }),
  price: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  kind: fc.constantFrom(
    "charge",
    "charge",
    "charge",
    "provider_variance",
    "provider_failed",
    "refused",
    "unsent",
  ),
});
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

/** Mostly no filter, since all filters together would leave nothing to sum. */
const some = (prefix: string) => {
  const list = fc.array(names(prefix), { maxLength: 2 });
  return fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: list });
};
const selection = fc.record({
  groupBy: fc.subarray(["project_id", "user_id", "api_key_id", "model"] as const),
  chargedOnly: fc.boolean(),
  projectIds: some("proj"),
  userIds: some("user"),
  apiKeyIds: some("key"),
  models: some("model"),
  exceptModels: some("model"),
});

const isUser = ({ key }: Call) => key.startsWith("user_");
const readFields = (one: Call): Record<string, string | null> => ({
  project_id: one.project,
  user_id: isUser(one) ? one.key : null,
  api_key_id: isUser(one) ? null : one.key,
  model: one.model,
});

/** Writes calls as the ledger writer does. */
async function insert(
  queries: Database,
  calls: readonly Call[],
  startMs: number,
  random: (bytes: number) => Uint8Array,
) {
  await queries.transaction().execute(async (transaction) => {
    for (const { atMs, project, key, model, prompt, completion, amount, price, kind } of calls) {
      const at = startMs + atMs;
      // The call's body took some time to arrive.
      const id = newId("req", at - (prompt % 60_000), random);
      const origin = sql.join([project, key, model]);
      const statement =
        kind === "charge" || kind === "provider_variance"
          ? sql`
            INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model,
              prompt_tokens, completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, outcome, status, stream)
            VALUES (${`txn_${id.slice(4)}`}, ${kind}, ${amount}, ${at}, ${id}, ${origin}, ${prompt}, ${completion}, ${price},
              ${price}, 1000000000, ${amount}, ${at}, 'completed', 200, 0)`
          : sql`
            INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens)
            VALUES (${id}, ${at}, ${origin}, 0, ${kind}, 500, 7)`;
      await statement.execute(transaction);
    }
  });
}

/** The expected sums, call by call. */
function expectedSums(calls: readonly Call[], startMs: number, asked: CallSelection) {
  const { buckets, groupBy, chargedOnly, projectIds, userIds, apiKeyIds, models, exceptModels } = asked;
  const sums = new Map<string, { requests: number; input: number; output: number; amount: bigint }>();
  for (const one of calls) {
    const bucket = buckets.findIndex(
      ({ startTime, endTime }) =>
        startMs + one.atMs >= startTime * 1000 && startMs + one.atMs < endTime * 1000,
    );
    const isCharge = one.kind === "charge";
    const fields = readFields(one);
    const fits = (field: string, list: readonly string[] | undefined) =>
      list === undefined || list.includes(fields[field] ?? "");
    const isCounted =
      bucket >= 0 &&
      (isCharge || (!chargedOnly && one.kind === "provider_failed")) &&
      fits("project_id", projectIds) &&
      fits("user_id", userIds) &&
      fits("api_key_id", apiKeyIds) &&
      fits("model", models) &&
      !exceptModels?.includes(one.model);
    if (!isCounted) continue;
    const key = JSON.stringify([bucket, ...groupBy.map((field) => fields[field])]);
    if (chargedOnly && one.prompt + one.completion === 0 && one.amount === 0n) continue;
    const { requests, input, output, amount } = sums.get(key) ?? {
      requests: 0,
      input: 0,
      output: 0,
      amount: 0n,
    };
    sums.set(key, {
      requests: requests + (chargedOnly ? 0 : 1),
      input: input + (isCharge ? one.prompt : 0),
      output: output + (isCharge ? one.completion : 0),
      amount: amount + (isCharge ? one.amount : 0n),
    });
  }
  return sums;
}

test("sums are those of the calls, to the nano-unit, however they are cut, grouped and filtered", async () => {
  await using store = await openTemporaryDatabase();
  const queries = store.direct;
  const { random } = simulatedRuntime({ seed: 1 });
  let year = 0;
  const calls = fc.array(call, { maxLength: 40 });
  const cut = fc.record({
    from: fc.integer({ min: -60, max: 2 * DAY }),
    length: fc.integer({ min: 1, max: 3 * DAY }),
  });
  await fc.assert(
    fc.asyncProperty(
      calls,
      selection,
      cut,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY),
      async (made, asked, { from, length }, step, summed) => {
        // Each run has its own time range, since the ledger's entries stay.
        const start = 365 * DAY * ++year;
        await insert(store.direct, made, start * 1000, random);
        const range = { start_time: start + from, end_time: start + from + length, limit: 168 };
        const { buckets } = cutIntoBuckets(range, "1h", { defaultCount: 1, max: 168 }, 0);
        const query = { ...asked, buckets, widthMs: HOUR_MS };
        let steps = 0;
        if (summed > 0)
          await sumCalls(
            queries,
            async () => ++steps < summed,
            () => 3,
          );
        const byCalls = await createUsageReader(store.reads, step).sumCalls(query);
        const bySums = (await sumSelection(queries, query)) ?? [];
        const expected = expectedSums(made, start * 1000, query);
        for (const sums of [byCalls, bySums]) {
          const found = sums.map(
            ({ bucket, group, requests, inputTokens, outputTokens, amount }) =>
              [
                JSON.stringify([bucket, ...asked.groupBy.map((field) => group[field])]),
                {
                  requests: asked.chargedOnly ? 0 : requests,
                  input: inputTokens,
                  output: outputTokens,
                  amount: BigInt(amount),
                },
              ] as const,
          );
          expect(new Map(found)).toEqual(expected);
          expect(found.length).toBe(new Map(found).size);
        }
        expect(bySums.map(({ bucket, group }) => [bucket, group])).toEqual(
          byCalls.map(({ bucket, group }) => [bucket, group]),
        );
      },
    ),
  );
});

test("line items add up to the ledger's amount, and none is negative", async () => {
  await using store = await openTemporaryDatabase();
  const { random } = simulatedRuntime({ seed: 2 });
  let year = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (made) => {
      const start = 365 * DAY * ++year;
      await insert(store.direct, made, start * 1000, random);
      const buckets = [{ startTime: start, endTime: start + 3 * DAY }];
      const sums = await createUsageReader(store.reads, 5).sumCalls({
        buckets,
        widthMs: 3 * DAY * 1000,
        groupBy: itemFields,
        chargedOnly: true,
      });
      const items = sums.flatMap(itemizeCosts);
      const charges = made.filter(({ kind }) => kind === "charge");
      expect(BigInt(sumLineItems(items).amount)).toBe(charges.reduce((sum, { amount }) => sum + amount, 0n));
      expect(items.every(({ amount }) => amount >= 0n)).toBe(true);
    }),
  );
});
