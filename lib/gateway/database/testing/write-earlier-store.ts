import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { hashSecret } from "../../secrets/hash-secret";
import { migrate, migrations } from "../migrate";
import { openSqlite } from "../open-sqlite";

/** The migrations before the audit log, whose triggers refuse rows that are written by hand. */
export const earlyMigrations = Object.fromEntries(Object.entries(migrations).slice(0, 5));

/**
 * Writes a database of an earlier version, with an organization, a project, an admin key and a payment of 7.00.
 * @returns the admin key.
 */
export async function writeEarlierStore(path: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = OFF");
  await migrate(sqlite, earlyMigrations);
  const key = newSecretKey("gk_admin_", randomBytes);
  sqlite.run("INSERT INTO organizations VALUES ('org_1', 'Acme', 'USD', 1)");
  sqlite.run("INSERT INTO projects (id, name, created_at_ms) VALUES ('proj_1', 'First', 1)");
  sqlite.run(
    `INSERT INTO admin_api_keys (id, name, role_id, hash, last_four, created_at_ms) VALUES ('key_1', 'First', ?, ?, ?, 1)`,
    [ownerRole.id, hashSecret(key), key.slice(-4)],
  );
  sqlite.run(
    "INSERT INTO ledger_entries (id, kind, amount, created_at_ms) VALUES ('txn_1', 'payment', 7000000000, 1)",
  );
  sqlite.run("UPDATE accounts SET balance = 7000000000 WHERE name = 'balance'");
  sqlite.run("UPDATE accounts SET balance = -7000000000 WHERE name = 'payments'");
  sqlite.close(true);
  return key;
}
