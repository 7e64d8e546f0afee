import { type Kysely, sql } from "kysely";

/**
 * Each list has an index in its order of exactly the rows that it shows, so a page reads no more rows than it returns.
 */
const statements = [
  "CREATE INDEX projects_listed ON projects(id) WHERE archived_at_ms IS NULL",
  "DROP INDEX project_api_keys_by_project",
  "CREATE INDEX project_api_keys_listed ON project_api_keys(project_id, id) WHERE revoked_at_ms IS NULL",
  "CREATE INDEX project_api_keys_of_account ON project_api_keys(service_account_id) WHERE revoked_at_ms IS NULL",
  "DROP INDEX service_accounts_by_project",
  "CREATE INDEX service_accounts_listed ON service_accounts(project_id, id) WHERE deleted_at_ms IS NULL",
  "CREATE INDEX admin_api_keys_listed ON admin_api_keys(id) WHERE revoked_at_ms IS NULL",
  "CREATE INDEX admin_api_keys_by_role ON admin_api_keys(role_id, id) WHERE revoked_at_ms IS NULL",
  "CREATE INDEX admin_api_keys_as_holders ON admin_api_keys(role_id || ':organization:' || id) WHERE revoked_at_ms IS NULL",
  `CREATE INDEX role_assignments_as_holders
    ON role_assignments(role_id || ':' || coalesce(project_id, 'organization') || ':' || coalesce(user_id, group_id))`,
  "CREATE INDEX users_listed ON users(id) WHERE removed_at_ms IS NULL",
  "CREATE INDEX invites_open ON invites(email) WHERE accepted_at_ms IS NULL",
  "CREATE INDEX role_assignments_of_users ON role_assignments(project_id, user_id) WHERE user_id IS NOT NULL",
  "CREATE INDEX role_assignments_of_groups ON role_assignments(project_id, group_id) WHERE group_id IS NOT NULL",
  "CREATE INDEX ledger_entries_payments ON ledger_entries(seq) WHERE kind = 'payment'",
  "CREATE INDEX spend_alert_firings_by_scope ON spend_alert_firings(scope, id)",
  "CREATE INDEX spend_alert_firings_by_month ON spend_alert_firings(month_start_ms, id)",
  "CREATE INDEX spend_alert_firings_by_both ON spend_alert_firings(scope, month_start_ms, id)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
