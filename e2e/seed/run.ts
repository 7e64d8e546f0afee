import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { DAY_MS } from "@/lib/contract/durations";
import { BY_SYSTEM } from "@/lib/gateway/changes/change";
import { createTransactions } from "@/lib/gateway/changes/transactions.sql";
import { buildDatabasePath } from "@/lib/gateway/database/data-folder/open-store-file";
import { createQueryBuilder } from "@/lib/gateway/database/database";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { sumCalls } from "@/lib/gateway/log/sums/sum-calls.sql";
import { machineRuntime } from "@/lib/gateway/main/machine-runtime";
import { openStores } from "@/lib/gateway/main/open-stores";
import { ZERO } from "@/lib/money/amount";
import { loadSecret } from "@/lib/secret/load-secret";
import { insertCalls, insertObjects } from "./seed-store";

/**
 * Makes a data folder of a mid-sized organization with 90 days of calls, for screenshots and measurements:
 * `npm run seed -- --calls 200000 --data .gatehouse-seeded`, then `GATEHOUSE_DATA=.gatehouse-seeded npm start`.
 */
const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "200000" },
    data: { type: "string", default: ".gatehouse-seeded" },
  },
});
const calls = Number(values.calls);
if (!Number.isSafeInteger(calls) || calls < 1)
  throw new RangeError("--calls is a whole number, such as 5000000");
const dataFolder = values.data;
if (existsSync(buildDatabasePath(dataFolder))) {
  throw new Error(`${dataFolder} holds a database already: name another folder with --data, or delete it.`);
}

const runtime = machineRuntime;
const nowMs = runtime.clock.nowMs();
const secret = loadSecret({ dataFolder });
const stores = await openStores({
  dataFolder,
  secret,
  adminKey: process.env.GATEHOUSE_ADMIN_KEY ?? null,
  openingBalance: ZERO,
  runtime,
  logFault: (where, error) => console.error(where, error),
});
await stores.close();
const sqlite = openSqlite(buildDatabasePath(dataFolder));
sqlite.run("PRAGMA synchronous = NORMAL");
const event = { ...BY_SYSTEM, type: otherEvents.organizationCreated, atMs: nowMs };
await createTransactions(sqlite).run(event, async () => insertObjects(sqlite, nowMs - 91 * DAY_MS));
insertCalls(sqlite, calls, nowMs);
await sumCalls(
  createQueryBuilder(sqlite),
  async () => true,
  () => 2_000,
);
sqlite.close();
console.info(`${calls} calls of 90 days are in ${dataFolder}.`);
if (stores.firstStart?.adminKey) console.info(`Admin key: ${stores.firstStart.adminKey}`);
