import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DAY_MS } from "@/lib/contract/durations";
import type { RequestFilter } from "@/lib/gateway/requests/request-log-reader";
import { createSqliteRequestLogReader } from "@/lib/gateway/store/calls/sqlite-request-log-reader";
import { openReads, openSqlite } from "@/lib/gateway/store/database";
import { migrate } from "@/lib/gateway/store/migrate";
import { sumCalls } from "@/lib/gateway/store/sums/sum-calls";
import { toNano } from "@/lib/money/amount";
import { keyOf, modelOf, projectOf, rare, SEEDED_UNTIL_MS, seedCalls } from "./seed-calls";

/**
 * Measures reads of a log of 1,000,000 calls, or `--calls`: the first page, a page with each filter, and the counts over time. Exits
 * with 1 if one takes longer than its limit.
 */
const { values } = parseArgs({ options: { calls: { type: "string", default: "1000000" } } });
const calls = Number(values.calls);
if (!Number.isSafeInteger(calls) || calls < 1)
  throw new RangeError("--calls is a whole number, such as 5000000");

const FIRST_PAGE_MS = 100;
const FILTER_MS = 300;
const ROUNDS = 5;
const everything: RequestFilter = { projectIds: null };

const filters: Record<string, Partial<RequestFilter>> = {
  "one project": { projectIds: [projectOf(3)] },
  "a small project": { projectIds: [projectOf(480)] },
  "one model": { model: modelOf(7) },
  "one provider": { provider: "openai" },
  "a provider with three calls": { provider: rare.provider },
  "one key": { keyIds: [keyOf(9)] },
  "a key with three calls": { keyIds: [rare.keyId] },
  "a key that is not there": { keyIds: ["key_none"] },
  "project and another's key": { projectIds: [projectOf(3)], keyIds: [keyOf(900)] },
  refused: { outcome: "refused" },
  "refused by requests": { refusedBy: "max_requests_per_1_minute" },
  "refused by the balance": { refusedBy: "balance" },
  interrupted: { outcome: "interrupted" },
  "status 504": { status: rare.status },
  "cost at least, many": { minAmount: toNano(300_000n) },
  "cost at least, none": { minAmount: toNano(10n ** 12n) },
  "took 4 s or longer": { minDurationMs: 4_000 },
  "took an hour": { minDurationMs: 3_600_000 },
  "first day": { startMs: SEEDED_UNTIL_MS - 90 * DAY_MS, endMs: SEEDED_UNTIL_MS - 89 * DAY_MS },
  "first day, one model": { endMs: SEEDED_UNTIL_MS - 89 * DAY_MS, model: modelOf(7) },
};

const folder = await mkdtemp(join(tmpdir(), "gatehouse-log-"));
const path = join(folder, "gatehouse.sqlite");
const sqlite = openSqlite(path);
sqlite.run("PRAGMA synchronous = NORMAL");
await migrate(sqlite);
const reads = openReads(path);
const slow: string[] = [];

/** The slowest of several rounds; in the first, nothing is in memory yet. */
async function measure(name: string, maxMs: number, read: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  let found: unknown;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    found = await read();
    took.push(performance.now() - start);
  }
  const worst = Math.max(...took);
  if (worst > maxMs) slow.push(name);
  const rows = Array.isArray(found) ? `${found.length} rows` : "";
  const typical = took.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
  console.info(
    `${name.padEnd(32)} ${typical.toFixed(1).padStart(8)} ms ${worst.toFixed(1).padStart(8)} ms at most  ${rows}`,
  );
}

try {
  let start = performance.now();
  seedCalls(sqlite, calls);
  console.info(`${calls} calls written in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  start = performance.now();
  await sumCalls(sqlite, async () => true);
  const perCall = ((performance.now() - start) * 1000) / calls;
  console.info(`summed by hour and day apart from the calls, ${perCall.toFixed(2)} µs for each\n`);
  const log = createSqliteRequestLogReader(reads);
  /** Reads a page as the console does: its calls, and the refusals of that time that are counted but not listed. */
  const page = async (filter: RequestFilter) => {
    const rows = await log.listed(filter).read({ limit: 51 });
    const fromMs = rows.length < 51 ? (filter.startMs ?? 0) : (rows.at(-1)?.atMs ?? 0);
    await log.unlistedRefusals(filter, { fromMs, toMs: filter.endMs ?? SEEDED_UNTIL_MS });
    return rows;
  };
  await measure("first page", FIRST_PAGE_MS, () => page(everything));
  for (const [name, filter] of Object.entries(filters)) {
    await measure(name, FILTER_MS, () => page({ ...everything, ...filter }));
  }
  for (const [days, widthMs] of [
    [1 / 24, 60_000],
    [1, 900_000],
    [7, 7_200_000],
    [30, 28_800_000],
    [90, DAY_MS],
  ] as const) {
    const span = { fromMs: SEEDED_UNTIL_MS - days * DAY_MS, toMs: SEEDED_UNTIL_MS, widthMs };
    const name = days < 1 ? "an hour" : `${days} days`;
    await measure(`counts of ${name}`, FILTER_MS, async () => (await log.count(everything, span))?.counts);
    const one = { projectIds: [projectOf(3)] };
    await measure(
      `counts of ${name}, one project`,
      FILTER_MS,
      async () => (await log.count(one, span))?.counts,
    );
  }
} finally {
  await reads.destroy();
  sqlite.close();
  await rm(folder, { recursive: true, force: true });
}
if (slow.length > 0) {
  console.error(`\nToo slow: ${slow.join(", ")}.`);
  process.exit(1);
}
