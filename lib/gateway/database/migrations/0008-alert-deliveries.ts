import { type Kysely, sql } from "kysely";
import { newId } from "@/lib/contract/ids";

/** `scope` and `spent` are those of the time of firing; for earlier firings `spent` is summed from the ledger. */
const FIRINGS = `CREATE TABLE spend_alert_firings (
  id TEXT PRIMARY KEY, alert_id TEXT NOT NULL REFERENCES spend_alerts(id) ON DELETE CASCADE, scope TEXT NOT NULL,
  threshold_cents INTEGER NOT NULL, spent INTEGER NOT NULL, month_start_ms INTEGER NOT NULL, fired_at_ms INTEGER NOT NULL,
  UNIQUE (alert_id, threshold_cents, month_start_ms)
) STRICT`;

const FORMER = `SELECT former.alert_id, alert.scope, former.threshold_cents, former.month_start_ms, former.fired_at_ms,
  CAST(max(former.threshold_cents * 10000000, coalesce((
    SELECT sum(amount) FROM ledger_entries WHERE kind = 'charge' AND alert.scope IN ('organization', project_id)
      AND created_at_ms BETWEEN former.month_start_ms AND former.fired_at_ms), 0)) AS TEXT) AS spent
  FROM former_spend_alert_firings AS former JOIN spend_alerts AS alert ON alert.id = former.alert_id`;

interface Former {
  alert_id: string;
  scope: string;
  threshold_cents: number;
  month_start_ms: number;
  fired_at_ms: number;
  spent: string;
}

/** A message is kept after its alert is deleted. */
const DELIVERIES = [
  `CREATE TABLE alert_deliveries (
    id TEXT PRIMARY KEY, body TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'exhausted')),
    tries INTEGER NOT NULL, tried_at_ms INTEGER, due_at_ms INTEGER, failure TEXT,
    CHECK ((status = 'pending') = (due_at_ms IS NOT NULL))
  ) STRICT`,
  "CREATE INDEX alert_deliveries_due ON alert_deliveries(due_at_ms) WHERE status = 'pending'",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  const execute = (statement: string) => sql.raw(statement).execute(database);
  await execute("ALTER TABLE spend_alert_firings RENAME TO former_spend_alert_firings");
  await execute(FIRINGS);
  const { rows } = await sql.raw<Former>(FORMER).execute(database);
  for (const { spent, ...row } of rows) {
    const id = newId("firing", row.fired_at_ms, (bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
    await sql`INSERT INTO spend_alert_firings (id, alert_id, scope, threshold_cents, spent, month_start_ms, fired_at_ms)
      VALUES (${id}, ${row.alert_id}, ${row.scope}, ${row.threshold_cents}, ${BigInt(spent)}, ${row.month_start_ms},
        ${row.fired_at_ms})`.execute(database);
  }
  await execute("DROP TABLE former_spend_alert_firings");
  for (const statement of DELIVERIES) await execute(statement);
}
