import { sql } from "kysely";
import type { RequestKey } from "../../requests/request-log-reader";
import type { Database } from "../database";

/** The key, admin key or member that made a call; null if it is no longer known. */
export async function readRequestKey(database: Database, id: string): Promise<RequestKey | null> {
  const { rows } = await sql<
    Omit<RequestKey, "isActive" | "lastFour"> & { last_four: string; is_active: number }
  >`
    SELECT iif(service_account_id IS NULL, 'project_api_key', 'service_account_key') AS kind, name, last_four,
      (SELECT name FROM service_accounts WHERE service_accounts.id = service_account_id) AS owner,
      revoked_at_ms IS NULL AS is_active FROM project_api_keys WHERE id = ${id}
    UNION ALL SELECT 'admin_api_key', name, last_four, NULL, revoked_at_ms IS NULL FROM admin_api_keys WHERE id = ${id}
    UNION ALL SELECT 'user', name, NULL, email, removed_at_ms IS NULL FROM users WHERE id = ${id}`.execute(
    database,
  );
  const [row] = rows;
  if (!row) return null;
  const { kind, name, last_four, owner, is_active } = row;
  return { kind, name, lastFour: last_four, owner, isActive: is_active === 1 };
}
