import { boolean, integer, real, text, time } from "./columns";
import { table } from "./table";

export const signInTables = [
  table(
    "sessions",
    {
      id: text.primaryKey(),
      admin_api_key_id: text.nullable().references("admin_api_keys.id"),
      user_id: text.nullable().references("users.id"),
      hash: text.unique(),
      created_at_ms: time,
      expires_at_ms: time,
      user_agent: text.nullable(),
    },
    {
      checks: ["(admin_api_key_id IS NULL) <> (user_id IS NULL)"],
    },
  ),
  table("sign_in_tokens", {
    hash: text.primaryKey(),
    admin_api_key_id: text.references("admin_api_keys.id"),
    expires_at_ms: time,
    used_at_ms: time.nullable(),
  }),
  // The next three keep times as ISO 8601. Columns that no code names are empty, and left from earlier versions.
  table("sign_in_users", {
    id: text.primaryKey().references("users.id"),
    name: text,
    email: text.unique(),
    email_verified: boolean,
    image: text.nullable(),
    two_factor_enabled: boolean.default(0),
    created_at: text,
    updated_at: text,
  }),
  table(
    "sign_in_accounts",
    {
      id: text.primaryKey(),
      user_id: text.references("sign_in_users.id", "cascade"),
      provider_id: text,
      account_id: text,
      password: text.nullable(),
      access_token: text.nullable(),
      refresh_token: text.nullable(),
      id_token: text.nullable(),
      access_token_expires_at: text.nullable(),
      refresh_token_expires_at: text.nullable(),
      scope: text.nullable(),
      created_at: text,
      updated_at: text,
    },
    {
      unique: [["provider_id", "account_id"]],
      indexes: { sign_in_accounts_by_user: { on: "user_id" } },
    },
  ),
  table("sign_in_two_factors", {
    id: text.primaryKey(),
    user_id: text.unique().references("sign_in_users.id", "cascade"),
    secret: text,
    backup_codes: text,
    verified: boolean.nullable(),
    failed_verification_count: integer.nullable(),
    locked_until: text.nullable(),
  }),
  table(
    "password_resets",
    {
      hash: text.primaryKey(),
      user_id: text.references("users.id"),
      created_at_ms: time,
      expires_at_ms: time,
      maker_kind: text.nullable(),
      maker_id: text.nullable(),
      is_void: boolean.default(0),
    },
    {
      indexes: { password_resets_by_user: { on: "user_id" } },
    },
  ),
  // Attempts to sign in, counted by a hash of the account, network or device. Deleted by age only.
  table(
    "sign_in_attempts",
    {
      name: text.primaryKey(),
      count: real,
      last_at_ms: time,
    },
    {
      withoutRowid: true,
      indexes: { sign_in_attempts_by_age: { on: "last_at_ms" } },
    },
  ),
  table(
    "sign_in_devices",
    {
      hash: text,
      user_id: text.references("users.id"),
      created_at_ms: time,
      last_used_at_ms: time,
    },
    {
      primaryKey: ["user_id", "hash"],
      withoutRowid: true,
      indexes: { sign_in_devices_by_hash: { on: "hash" } },
    },
  ),
  table(
    "used_sign_in_codes",
    {
      user_id: text.references("users.id"),
      hash: text,
      used_at_ms: time,
    },
    {
      primaryKey: ["user_id", "hash"],
      withoutRowid: true,
      indexes: { used_sign_in_codes_by_age: { on: "used_at_ms" } },
    },
  ),
  // The states of single sign-ons that were answered, so that each is accepted once.
  table(
    "used_sign_in_states",
    {
      hash: text.primaryKey(),
      used_at_ms: time,
    },
    {
      withoutRowid: true,
      indexes: { used_sign_in_states_by_age: { on: "used_at_ms" } },
    },
  ),
  // Members' identities at an OpenID provider.
  table(
    "sign_in_identities",
    {
      issuer: text,
      subject: text,
      user_id: text.unique().references("users.id"),
      created_at_ms: time,
    },
    {
      primaryKey: ["issuer", "subject"],
      withoutRowid: true,
    },
  ),
];
