import type { Database as Sqlite } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { BY_SYSTEM } from "@/lib/gateway/changes/change";
import { createTransactions } from "@/lib/gateway/changes/transactions.sql";
import { buildDatabasePath } from "@/lib/gateway/database/data-folder/open-store-file";
import { createQueryBuilder, openReads } from "@/lib/gateway/database/database";
import { migrate } from "@/lib/gateway/database/migrate";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { createStatementReader } from "@/lib/gateway/ledger/statements/statement-reader.sql";
import { createRequestLogReader } from "@/lib/gateway/log/requests/request-log-reader.sql";
import type { RequestFilter } from "@/lib/gateway/log/requests/request-record";
import { openSums, sumCalls } from "@/lib/gateway/log/sums/sum-calls.sql";
import { insertCalls, insertObjects, PRICE_SCALE } from "../../seed/seed-store";
import { logLists } from "./log-lists";
import { logReads } from "./log-reads";
import { logSearches } from "./log-searches";
import { PROJECTS, projectIdAt, SEEDED_UNTIL_MS } from "./seed-calls";

/**
 * Measures reads of a log of 1,000,000 calls, or `--calls`: the first page, a page and the histogram with each filter,
 * the other lists of the console, and the sums that its screens show. `--data FOLDER` reads a folder that
 * `npm run seed` has filled. Exits with 1 if a read takes longer than its limit.
 */
const { values } = parseArgs({
  options: { calls: { type: "string", default: "1000000" }, data: { type: "string" } },
});
const calls = Number(values.calls);
if (!Number.isSafeInteger(calls) || calls < 1)
  throw new RangeError("--calls is a whole number, such as 5000000");

const FIRST_PAGE_MS = 100;
const FILTER_MS = 300;
/** A screen makes at most four of these reads, and most of them in a tenth of this. */
const SUMS_MS = 300;
const ROUNDS = 5;
const RENAMES = 5_000;
const everything: RequestFilter = { projectIds: null };
const slow: string[] = [];

const folder = values.data ?? (await mkdtemp(join(tmpdir(), "gatehouse-log-")));
const path = buildDatabasePath(folder);
try {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = NORMAL");
  await migrate(sqlite);
  await fill(sqlite);
  await measureSearches(sqlite);
  await measureLists(sqlite);
  await measureSums(sqlite);
  sqlite.close();
} finally {
  if (values.data === undefined) await rm(folder, { recursive: true, force: true });
}
console.info(
  `\nload average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`,
);
if (slow.length > 0) {
  console.error(`Too slow: ${slow.join(", ")}.`);
  process.exit(1);
}

/**
 * Median and slowest of several rounds, and the processor's share of the median; in the first, nothing is in memory
 * yet.
 */
async function measure(name: string, maxMs: number, read: () => Promise<unknown>): Promise<void> {
  const rounds: { took: number; cpu: number }[] = [];
  let found: unknown;
  for (let round = 0; round < ROUNDS; round++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    found = await read();
    const { user, system } = process.cpuUsage(before);
    rounds.push({ took: performance.now() - start, cpu: (user + system) / 1000 });
  }
  const sorted = rounds.toSorted((one, other) => one.took - other.took);
  const typical = sorted[Math.floor(ROUNDS / 2)] ?? { took: Number.NaN, cpu: Number.NaN };
  const worst = sorted.at(-1)?.took ?? Number.NaN;
  if (worst > maxMs) slow.push(name);
  const rows = Array.isArray(found) ? `  ${found.length} rows` : "";
  const ms = (value: number) => value.toFixed(1).padStart(8);
  console.info(
    `${name.padEnd(48)}${ms(typical.took)} ms${ms(worst)} ms at most${ms(typical.cpu)} ms CPU${rows}`,
  );
}

async function fill(sqlite: Sqlite): Promise<void> {
  let start = performance.now();
  if (values.data === undefined) {
    await insertOrganization(sqlite);
    insertCalls(sqlite, calls, SEEDED_UNTIL_MS);
    console.info(`${calls} calls written in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  start = performance.now();
  const before = process.cpuUsage();
  await sumCalls(createQueryBuilder(sqlite), async () => true);
  const { user, system } = process.cpuUsage(before);
  console.info(
    `summed apart from the calls in ${((performance.now() - start) / 1000).toFixed(1)} s, ${((user + system) / calls).toFixed(2)} µs of CPU for each of ${calls}\n`,
  );
}

/** Objects, and events of the audit log over 90 days. */
async function insertOrganization(sqlite: Sqlite): Promise<void> {
  const firstMs = SEEDED_UNTIL_MS - 91 * DAY_MS;
  const transactions = createTransactions(sqlite);
  const first = { ...BY_SYSTEM, type: otherEvents.organizationCreated, atMs: firstMs };
  await transactions.run(first, async () => insertObjects(sqlite, firstMs));
  for (let index = 0; index < RENAMES; index++) {
    const atMs = firstMs + Math.floor((index * 90 * DAY_MS) / RENAMES);
    const [id, name] = [projectIdAt(index % PROJECTS), `Project renamed ${index}`];
    await transactions.run({ ...BY_SYSTEM, type: "project.updated", atMs }, async () =>
      sqlite.query("UPDATE projects SET name = ? WHERE id = ?").run(name, id),
    );
  }
}

/** The reads of the requests screen. */
async function measureSearches(sqlite: Sqlite): Promise<void> {
  const [first] = sqlite
    .query<{ id: string }, []>(
      "SELECT request_id AS id FROM ledger_entries WHERE kind = 'charge' ORDER BY seq LIMIT 1",
    )
    .all();
  const untilMs = lastCallMs(sqlite);
  const reads = openReads(path);
  const log = createRequestLogReader(reads);
  /** Reads a page as the console does: its calls, and the refusals of that time that are counted but not listed. */
  const page = async (filter: RequestFilter) => {
    const rows = await log.listed(filter).read({ limit: 51 });
    const fromMs = rows.length < 51 ? (filter.startMs ?? 0) : (rows.at(-1)?.atMs ?? 0);
    await log.unlistedRefusals(filter, { fromMs, toMs: filter.endMs ?? untilMs });
    return rows;
  };
  const count = (filter: RequestFilter, days: number, widthMs: number) =>
    log.count(filter, { fromMs: untilMs - days * DAY_MS, toMs: untilMs, widthMs });
  await measure("first page", FIRST_PAGE_MS, () => page(everything));
  for (const [name, filter] of Object.entries(
    logSearches({ untilMs, requestId: first?.id ?? "", priceScale: PRICE_SCALE }),
  )) {
    const whole = { ...everything, ...filter };
    await measure(name, FILTER_MS, () => page(whole));
    await measure(
      `  its histogram of 7 days`,
      FILTER_MS,
      async () => (await count(whole, 7, 2 * HOUR_MS))?.counts,
    );
    await measure(
      `  its histogram of 90 days`,
      FILTER_MS,
      async () => (await count(whole, 90, DAY_MS))?.counts,
    );
  }
  for (const [days, widthMs] of [
    [1 / 24, 60_000],
    [1, 900_000],
    [7, 2 * HOUR_MS],
    [30, 8 * HOUR_MS],
    [90, DAY_MS],
  ] as const) {
    const name = days < 1 ? "an hour" : `${days} days`;
    await measure(
      `histogram of ${name}`,
      FILTER_MS,
      async () => (await count(everything, days, widthMs))?.counts,
    );
    const one = { projectIds: [projectIdAt(3)] };
    await measure(
      `histogram of ${name}, one project`,
      FILTER_MS,
      async () => (await count(one, days, widthMs))?.counts,
    );
  }
  await reads.destroy();
}

/** The pages of the console's other lists. */
async function measureLists(sqlite: Sqlite): Promise<void> {
  const reads = openReads(path);
  for (const { name, list, limit } of logLists(reads, lastCallMs(sqlite)))
    await measure(name, FILTER_MS, () => list.read({ limit }));
  await reads.destroy();
}

/** The reads of all other screens that sum calls. */
async function measureSums(sqlite: Sqlite): Promise<void> {
  const nowMs = Math.floor(lastCallMs(sqlite) / 1000) * 1000 + 1000;
  const sums = openSums(path);
  for (const { name, read } of logReads(nowMs)) await measure(name, SUMS_MS, async () => read(sums));
  const reads = openReads(path);
  const statements = createStatementReader(reads);
  await measure("statements", SUMS_MS, () => statements.listStatements(nowMs));
  await reads.destroy();
  await sums.destroy();
}

function lastCallMs(sqlite: Sqlite): number {
  const [last] = sqlite
    .query<{ at_ms: number }, []>(
      "SELECT created_at_ms AS at_ms FROM ledger_entries WHERE kind = 'charge' ORDER BY seq DESC LIMIT 1",
    )
    .all();
  return last?.at_ms ?? SEEDED_UNTIL_MS;
}
