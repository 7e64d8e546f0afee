import { type Kysely, sql } from "kysely";

/** Finds the audit events of a request by its id. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw("CREATE INDEX audit_logs_by_request ON audit_logs(request_id)").execute(database);
}
