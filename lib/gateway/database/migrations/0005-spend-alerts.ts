import { type Kysely, sql } from "kysely";

/** `scope` is a project's id, or `organization`. */
const statements = [
  `CREATE TABLE spend_alerts (
    id TEXT PRIMARY KEY, scope TEXT NOT NULL, threshold_cents INTEGER NOT NULL CHECK (threshold_cents > 0),
    recipients TEXT NOT NULL, subject_prefix TEXT, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE spend_alert_firings (
    alert_id TEXT NOT NULL REFERENCES spend_alerts(id) ON DELETE CASCADE, threshold_cents INTEGER NOT NULL,
    month_start_ms INTEGER NOT NULL, fired_at_ms INTEGER NOT NULL,
    PRIMARY KEY (alert_id, threshold_cents, month_start_ms)
  ) STRICT`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
