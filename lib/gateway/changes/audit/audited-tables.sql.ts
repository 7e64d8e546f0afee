import type { Database as Sqlite } from "bun:sqlite";
import type { Tables } from "../../database/schema";
import { maskSecrets } from "../../secrets/secret";
import type { AuditChange } from "./audit-event";

/** How a table's changes are logged. In SQL, `@` is replaced by the row. */
interface AuditedTable {
  readonly id: string;
  readonly subject?: string;
  readonly project?: string;
  /** Columns whose values are never logged. */
  readonly secret?: readonly string[];
  /**
   * Secret columns that are hashed or encrypted. The log keeps their last digits for doctor to compare, and never shows
   * them.
   */
  readonly digest?: readonly string[];
  /** Money columns, logged as text because they are larger than a number holds exactly. */
  readonly text?: readonly string[];
  /** Columns with ids that administrators chose. They are logged whole, even if they look like secrets. */
  readonly references?: readonly string[];
  /** Columns whose changes are not logged, because they change whenever the object is used. */
  readonly quiet?: readonly string[];
}

const idColumn = { id: "@.id" };
const modelColumn = { id: "@.model", references: ["model"] };
const projectColumns = { ...idColumn, project: "@.project_id" };
const hashed = { secret: ["hash"], digest: ["hash"] };
const scopeColumns = { project: "nullif(@.scope, 'organization')" };

/** All tables: how each is audited, or null for tables that no administrator changes. */
export const auditedTables: Readonly<Record<keyof Tables, AuditedTable | null>> = {
  organizations: { ...idColumn, secret: ["logo"], digest: ["logo"] },
  projects: { ...idColumn, project: "@.id" },
  access_requests: projectColumns,
  receipt_links: { ...projectColumns, ...hashed },
  configuration_plans: null,
  configuration_applications: { ...idColumn, quiet: ["base"] },
  project_api_keys: { ...projectColumns, ...hashed, references: ["models"] },
  service_accounts: projectColumns,
  admin_api_keys: { ...idColumn, ...hashed, quiet: ["last_used_at_ms"] },
  users: { ...idColumn, quiet: ["last_signed_in_at_ms"] },
  groups: idColumn,
  group_users: { id: "@.group_id", subject: "@.user_id" },
  role_assignments: { id: "@.role_id", subject: "coalesce(@.user_id, @.group_id)", project: "@.project_id" },
  sessions: { ...idColumn, ...hashed },
  sign_in_accounts: {
    id: "@.user_id",
    secret: ["password", "access_token", "refresh_token", "id_token"],
    digest: ["password"],
    quiet: ["updated_at"],
  },
  sign_in_two_factors: {
    id: "@.user_id",
    secret: ["secret", "backup_codes"],
    quiet: ["failed_verification_count", "locked_until"],
  },
  password_resets: { id: "@.user_id", ...hashed, quiet: ["maker_kind", "maker_id", "is_void"] },
  sign_in_identities: { id: "@.user_id" },
  roles: projectColumns,
  rate_limits: { ...modelColumn, id: "'rl_' || @.model", project: "@.project_id" },
  rate_limit_changes: {
    ...idColumn,
    references: ["changes", "project_ids"],
    quiet: ["maker_kind", "maker_id"],
  },
  limit_plans: idColumn,
  rate_limit_bounds: { ...idColumn, quiet: ["since_ms"] },
  rate_limit_drafts: { ...idColumn, references: ["changes"], quiet: ["maker_kind", "maker_id", "digest"] },
  limit_plan_limits: { id: "@.plan_id", subject: "@.model", references: ["model"] },
  limit_plan_projects: { id: "@.plan_id", project: "@.project_id" },
  rate_limit_defaults: { ...idColumn, references: ["id"] },
  model_permissions: { id: "@.project_id", project: "@.project_id", references: ["model_ids"] },
  body_settings: { id: "@.project_id", project: "@.project_id" },
  callback_secrets: { id: "@.project_id", project: "@.project_id", quiet: ["earlier_rotations_ms"] },
  invites: { ...idColumn, ...hashed, quiet: ["inviter_kind", "inviter_id"] },
  providers: {
    ...idColumn,
    secret: ["sealed_api_key", "sealed_api_keys"],
    digest: ["sealed_api_key", "sealed_api_keys"],
  },
  models: { ...idColumn, references: ["routes", "projects"] },
  model_prices: modelColumn,
  unaccounted_costs: null,
  model_routes: { ...modelColumn, references: ["model", "routes"] },
  scheduled_prices: modelColumn,
  circuit_closings: { id: "@.provider", subject: "@.model", references: ["provider", "model"] },
  spend_limits: { id: "@.scope", ...scopeColumns, text: ["amount"] },
  payment_approval: { id: "'payments'", text: ["above"], quiet: ["since_ms"] },
  pending_payments: { ...idColumn, text: ["amount", "approval_above"] },
  // The figures may be long, so only their digest is logged.
  statements: { id: "@.month", quiet: ["figures"] },
  spend_alerts: { ...idColumn, ...scopeColumns },
  // A row for passwords and second factors to refer to. Whether the second factor is on follows from its own table.
  sign_in_users: null,
  // A token opens one session, which is audited itself.
  sign_in_tokens: null,
  // The state of sign-ins and of alert deliveries.
  sign_in_attempts: null,
  sign_in_devices: null,
  used_sign_in_codes: null,
  used_sign_in_states: null,
  spend_alert_firings: null,
  alert_deliveries: null,
  // Texts of callers and providers; each access is an event.
  request_bodies: null,
  responses: null,
  response_callbacks: null,
  response_items: null,
  response_parts: null,
  response_conversations: null,
  response_conversation_items: null,
  tasks: null,
  task_callbacks: null,
  task_callback_tries: null,
  files: null,
  stored_objects: null,
  batches: null,
  // Private data of users, which administrators don't change.
  conversations: null,
  conversation_answers: null,
  conversation_answer_parts: null,
  // Versions themselves record their author and time.
  prompts: null,
  prompt_versions: null,
  prompt_runs: null,
  prompt_results: null,
  prompt_sizes: null,
  unapproved_payments: null,
  // The ledger itself is a record, and its writer logs payments.
  accounts: null,
  leases: null,
  holds: null,
  carried_media: null,
  ledger_entries: null,
  uncharged_calls: null,
  refusal_counts: null,
  refusal_days: null,
  access_refusals: null,
  request_log: null,
  call_sums: null,
  call_totals: null,
  call_sums_end: null,
  sums_by_dimension: null,
  latencies_by_dimension: null,
  sums_by_dimension_end: null,
  call_traces_end: null,
  limit_uses: null,
  limit_uses_end: null,
  unsummed_calls: null,
  ledger_chain: null,
  ledger_checkpoint: null,
  store_owner: null,
  key_uses: null,
  idempotency_keys: null,
  audit_logs: null,
  audit_pending: null,
};

/** A table's name, and its columns as a JSON array. */
export interface TableColumns {
  readonly name: string;
  readonly columns: string;
}

/** Lists all tables with their columns. */
export const TABLE_COLUMNS = `SELECT name,
  (SELECT json_group_array(name) FROM pragma_table_info(tables.name)) AS columns
  FROM sqlite_master AS tables WHERE type = 'table' ORDER BY name`;

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;

/**
 * Installs triggers that record every change of the audited tables in `audit_pending`, by any code; see that table for
 * why no change is committed without its event. Recreated if a migration added a column or rebuilt a table.
 */
export function installTriggers(sqlite: Sqlite): void {
  for (const trigger of listMissingTriggers(sqlite)) {
    sqlite.run(`DROP TRIGGER IF EXISTS ${trigger.name}`);
    sqlite.run(trigger.sql);
  }
}

/** The triggers that a database lacks, or has in another form; none before the log's own table is made. */
export function listMissingTriggers(sqlite: Sqlite): { name: string; sql: string }[] {
  const tables = sqlite.query<TableColumns, []>(TABLE_COLUMNS).all();
  if (!tables.some(({ name }) => name === "audit_pending")) return [];
  const triggers = sqlite
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  const existingSql = new Set(triggers.map((trigger) => trigger.sql));
  return tables.flatMap(buildAuditTriggers).filter((trigger) => !existingSql.has(trigger.sql));
}

/** The triggers of an audited table. */
export function buildAuditTriggers({ name, columns }: TableColumns): { name: string; sql: string }[] {
  const how = auditedTables[name as keyof Tables];
  if (!how) return [];
  return EVENTS.map((event) => createTrigger(name, how, JSON.parse(columns) as string[], event));
}

/**
 * SQL that selects a table's rows in the form of events: `id`, `subject_id`, `project_id` and `after`. Null for a table
 * that is not audited.
 */
export function buildAuditedRowsQuery({ name, columns }: TableColumns): string | null {
  const how = auditedTables[name as keyof Tables];
  if (!how) return null;
  const expand = (text = "NULL") => text.replaceAll("@", "this");
  const audited = (JSON.parse(columns) as string[]).filter((column) => !how.quiet?.includes(column));
  return `SELECT ${expand(how.id)} AS id, ${expand(how.subject)} AS subject_id, ${expand(how.project)} AS project_id,
    ${formatRowAsJson("this", audited, how)} AS after FROM ${name} AS this`;
}

function createTrigger(
  table: string,
  how: AuditedTable,
  columns: readonly string[],
  event: (typeof EVENTS)[number],
) {
  const name = `${table}_audit_${event.toLowerCase()}`;
  const row = event === "DELETE" ? "OLD" : "NEW";
  const expand = (text = "NULL") => text.replaceAll("@", row);
  const audited = columns.filter((column) => !how.quiet?.includes(column));
  const jsonBefore = event === "INSERT" ? "NULL" : formatRowAsJson("OLD", audited, how);
  const jsonAfter = event === "DELETE" ? "NULL" : formatRowAsJson("NEW", audited, how);
  // While foreign keys are not checked, nothing else would stop the change.
  const body = `SELECT RAISE(ABORT, 'changes are audited: PRAGMA foreign_keys must be on')
      WHERE (SELECT foreign_keys FROM pragma_foreign_keys) = 0;
    INSERT INTO audit_pending (object, id, subject_id, project_id, before, after)
      VALUES ('${table}', ${expand(how.id)}, ${expand(how.subject)}, ${expand(how.project)}, ${jsonBefore}, ${jsonAfter});`;
  const when = event === "UPDATE" ? `UPDATE OF ${audited.join(", ")}` : event;
  return { name, sql: `CREATE TRIGGER ${name} AFTER ${when} ON ${table} BEGIN\n    ${body}\n  END` };
}

/** @param dialect is SQLite's; PostgreSQL's has these two under other names. */
function formatRowAsJson(
  row: "OLD" | "NEW" | "this",
  columns: readonly string[],
  { secret, digest, text }: AuditedTable,
  dialect = { object: "json_object", lastDigits: (value: string) => `substr(${value}, -8)` },
): string {
  const pairs = columns.map((column) => {
    const value = `${row}.${column}`;
    const maskedValue = digest?.includes(column) ? `'***' || ${dialect.lastDigits(value)}` : "'***'";
    if (secret?.includes(column))
      return `'${column}', CASE WHEN ${value} IS NULL THEN NULL ELSE ${maskedValue} END`;
    return `'${column}', ${text?.includes(column) ? `CAST(${value} AS TEXT)` : value}`;
  });
  return `${dialect.object}(${pairs.join(", ")})`;
}

const POSTGRES = { object: "json_build_object", lastDigits: (value: string) => `right(${value}, 8)` };

/** A trigger's function in PostgreSQL; its name is the trigger's, too. */
interface PostgresTrigger {
  readonly name: string;
  readonly body: string;
  readonly statements: readonly string[];
}

/** The triggers of an audited table in PostgreSQL. They record the same as SQLite's. */
export function buildPostgresAuditTriggers(
  table: string,
  columns: readonly string[],
): readonly PostgresTrigger[] {
  const how = auditedTables[table as keyof Tables];
  if (!how) return [];
  const audited = columns.filter((column) => !how.quiet?.includes(column));
  return EVENTS.map((event) => {
    const name = `${table}_audit_${event.toLowerCase()}`;
    const row = event === "DELETE" ? "OLD" : "NEW";
    const expand = (text = "NULL") => text.replaceAll("@", row);
    const format = (state: "OLD" | "NEW") => `${formatRowAsJson(state, audited, how, POSTGRES)}::text`;
    const [before, after] = [
      event === "INSERT" ? "NULL" : format("OLD"),
      event === "DELETE" ? "NULL" : format("NEW"),
    ];
    const values = [`'${table}'`, expand(how.id), expand(how.subject), expand(how.project), before, after];
    const body = ` BEGIN INSERT INTO audit_pending (object, id, subject_id, project_id, before, after)
      VALUES (${values.join(", ")}); RETURN NULL; END `;
    const when = event === "UPDATE" ? `UPDATE OF ${audited.join(", ")}` : event;
    return {
      name,
      body,
      statements: [
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$${body}$$`,
        `CREATE OR REPLACE TRIGGER ${name} AFTER ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
      ],
    };
  });
}

/**
 * Masks secrets that somebody typed into a text. Ids and references stay whole even if they look like secrets: caches
 * reread the rows that they name.
 */
export function maskChange({ before, after, ...identity }: AuditChange): AuditChange {
  const { object } = identity;
  return {
    ...identity,
    before: before && maskRow(object, before),
    after: after && maskRow(object, after),
  };
}

/** The same for a row of a table in the form of events. */
export function maskRow(
  table: string,
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const references = auditedTables[table as keyof Tables]?.references;
  const mask = ([column, value]: [string, unknown]) => {
    const isShownWhole = typeof value !== "string" || column === "id" || references?.includes(column);
    return [column, isShownWhole ? value : maskSecrets(value)];
  };
  return Object.fromEntries(Object.entries(row).map(mask));
}
