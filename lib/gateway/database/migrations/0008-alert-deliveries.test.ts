import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { createQueryBuilder } from "../database";
import { openSqlite } from "../open-sqlite";
import * as foundation from "./0001-foundation";
import * as spendAlerts from "./0005-spend-alerts";
import * as alertDeliveries from "./0008-alert-deliveries";

test("firings from before keep their time, and get an id and what the month had cost by then", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-migration-"));
  const database = createQueryBuilder(openSqlite(join(folder, "gatehouse.sqlite")));
  const bare = database as unknown as Kysely<unknown>;
  const run = (statement: string) => sql.raw(statement).execute(database);
  await foundation.up(bare);
  await spendAlerts.up(bare);
  for (const [name, project, amount, atMs] of [
    ["before", "proj_1", 70_000_000, 99],
    ["own", "proj_1", 40_000_000, 150],
    ["other", "proj_2", 30_000_000, 160],
    ["after", "proj_1", 90_000_000, 201],
  ] as const) {
    await run(`INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, held, prompt_tokens,
      completion_tokens, input_per_1m, output_per_1m, rate)
      VALUES ('txn_${name}', 'charge', ${amount}, ${atMs}, 'req_${name}', '${project}', ${amount}, 0, 0, 0, 0, 0)`);
  }
  for (const [id, scope, cents] of [
    ["alert_1", "proj_1", 3],
    ["alert_2", "organization", 7],
    ["alert_3", "proj_3", 1],
  ] as const) {
    await run(`INSERT INTO spend_alerts VALUES ('${id}', '${scope}', ${cents}, '[]', NULL, 1)`);
    await run(`INSERT INTO spend_alert_firings VALUES ('${id}', ${cents}, 100, 200)`);
  }
  await alertDeliveries.up(bare);
  const firings = await database.selectFrom("spend_alert_firings").selectAll().orderBy("alert_id").execute();
  const kept = { id: expect.stringMatching(/^firing_[0-9a-z]{26}$/), month_start_ms: 100, fired_at_ms: 200 };
  expect<object[]>(firings).toEqual([
    { ...kept, alert_id: "alert_1", scope: "proj_1", threshold_cents: 3, spent: 40_000_000 },
    { ...kept, alert_id: "alert_2", scope: "organization", threshold_cents: 7, spent: 70_000_000 },
    // Where the ledger has no charges, the threshold is the least that is known.
    { ...kept, alert_id: "alert_3", scope: "proj_3", threshold_cents: 1, spent: 10_000_000 },
  ]);
  await database.destroy();
  rmSync(folder, { recursive: true });
});
