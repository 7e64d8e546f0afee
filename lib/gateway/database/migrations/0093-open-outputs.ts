import { type Kysely, sql } from "kysely";
import {
  buildAuditedRowsQuery,
  TABLE_COLUMNS,
  type TableColumns,
} from "../../changes/audit/audited-tables.sql";

/** What earlier versions stored for a model whose administrator named no output limit. */
const FORMER_DEFAULT = 16_384;

/**
 * A model may have no output limit of its own. SQLite can't make a column nullable, so it is added again. What was the
 * default is taken for no limit: nobody is known to have named it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const tables = await sql<TableColumns>`${sql.raw(TABLE_COLUMNS)}`.execute(database);
  const models = tables.rows.find(({ name }) => name === "models");
  const rows = models && buildAuditedRowsQuery(models);
  if (rows) {
    await sql`INSERT INTO audit_pending (object, id, subject_id, project_id, before, after)
      SELECT 'models', id, subject_id, project_id, after, json_set(after, '$.max_output_tokens', NULL)
      FROM (${sql.raw(rows)}) WHERE json_extract(after, '$.max_output_tokens') = ${sql.lit(FORMER_DEFAULT)}`.execute(
      database,
    );
  }
  for (const event of ["insert", "update", "delete"])
    await sql.raw(`DROP TRIGGER IF EXISTS models_audit_${event}`).execute(database);
  const statements = [
    "ALTER TABLE models RENAME COLUMN max_output_tokens TO former_limit",
    "ALTER TABLE models ADD COLUMN max_output_tokens INTEGER",
    `UPDATE models SET max_output_tokens = nullif(former_limit, ${FORMER_DEFAULT})`,
    "ALTER TABLE models DROP COLUMN former_limit",
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}
