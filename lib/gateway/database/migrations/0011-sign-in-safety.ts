import { type Kysely, sql } from "kysely";

const groupsOf = (row: string) =>
  `SELECT ${row}.user_id UNION SELECT user_id FROM group_users WHERE group_id = ${row}.group_id`;

/** Every member who holds the role of `NEW`, directly or through a group. */
const holders = `SELECT user_id FROM role_assignments WHERE role_id = NEW.id
  UNION SELECT group_users.user_id FROM group_users JOIN role_assignments USING (group_id) WHERE role_id = NEW.id`;

/** A password link becomes void when the rights of its member or its maker change, whatever makes the change. */
function voiding(name: string, event: string, members: string, keys = "SELECT NULL"): string {
  return `CREATE TRIGGER ${name} AFTER ${event} BEGIN
    UPDATE password_resets SET is_void = 1 WHERE user_id IN (${members})
      OR (maker_kind = 'user' AND maker_id IN (${members}))
      OR (maker_kind = 'admin_key' AND maker_id IN (${keys}));
  END`;
}

const statements = [
  // Existing links don't say who made them. They last an hour at most, so their members can ask for new ones.
  "DELETE FROM password_resets",
  "ALTER TABLE password_resets ADD COLUMN maker_kind TEXT",
  "ALTER TABLE password_resets ADD COLUMN maker_id TEXT",
  "ALTER TABLE password_resets ADD COLUMN is_void INTEGER NOT NULL DEFAULT 0",
  voiding("role_given_voids_links", "INSERT ON role_assignments", groupsOf("NEW")),
  voiding("role_taken_voids_links", "DELETE ON role_assignments", groupsOf("OLD")),
  voiding("group_joined_voids_links", "INSERT ON group_users", "SELECT NEW.user_id"),
  voiding("group_left_voids_links", "DELETE ON group_users", "SELECT OLD.user_id"),
  voiding(
    "role_changed_voids_links",
    "UPDATE OF permissions ON roles WHEN OLD.permissions <> NEW.permissions",
    holders,
    "SELECT id FROM admin_api_keys WHERE role_id = NEW.id",
  ),
  "ALTER TABLE invites ADD COLUMN inviter_kind TEXT",
  "ALTER TABLE invites ADD COLUMN inviter_id TEXT",
  // The audit log says who sent the pending invites.
  `UPDATE invites SET
    inviter_kind = iif(actor_user_id IS NULL, 'admin_key', 'user'), inviter_id = coalesce(actor_user_id, actor_key_id)
    FROM audit_logs WHERE audit_logs.type = 'invite.sent' AND json_extract(changes, '$[0].id') = invites.id
      AND coalesce(actor_user_id, actor_key_id) IS NOT NULL AND accepted_at_ms IS NULL`,

  // Attempts to sign in, counted by a hash of the account, network or device. Deleted by age only.
  `CREATE TABLE sign_in_attempts (
    name TEXT PRIMARY KEY, count REAL NOT NULL, last_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts(last_at_ms)",
  `CREATE TABLE sign_in_devices (
    hash TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users(id),
    created_at_ms INTEGER NOT NULL, last_used_at_ms INTEGER NOT NULL, PRIMARY KEY (user_id, hash)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX sign_in_devices_by_hash ON sign_in_devices(hash)",
  `CREATE TABLE used_sign_in_codes (
    user_id TEXT NOT NULL REFERENCES users(id), hash TEXT NOT NULL, used_at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, hash)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX used_sign_in_codes_by_age ON used_sign_in_codes(used_at_ms)",
  // Members' identities at an OpenID provider.
  `CREATE TABLE sign_in_identities (
    issuer TEXT NOT NULL, subject TEXT NOT NULL, user_id TEXT NOT NULL UNIQUE REFERENCES users(id),
    created_at_ms INTEGER NOT NULL, PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID`,
  // These were linked by email address alone, verified or not, and without an issuer: members have to link them again.
  "DELETE FROM sign_in_accounts WHERE provider_id <> 'credential'",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
