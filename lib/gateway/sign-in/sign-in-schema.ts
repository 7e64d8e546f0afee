import type { Generated } from "kysely";

/** The tables of sign-in as Kysely sees them. Columns that end in `_at` hold ISO 8601. */
export interface SignInTables {
  sign_in_users: {
    id: string;
    name: string;
    email: string;
    email_verified: number;
    image: string | null;
    two_factor_enabled: number;
    created_at: string;
    updated_at: string;
  };
  sign_in_accounts: {
    id: string;
    user_id: string;
    provider_id: string;
    account_id: string;
    /** Argon2id, in PHC string format. */
    password: string | null;
    access_token: string | null;
    refresh_token: string | null;
    id_token: string | null;
    access_token_expires_at: string | null;
    refresh_token_expires_at: string | null;
    scope: string | null;
    created_at: string;
    updated_at: string;
  };
  sign_in_two_factors: {
    id: string;
    user_id: string;
    secret: string;
    backup_codes: string;
    verified: number | null;
    failed_verification_count: number | null;
    locked_until: string | null;
  };
  password_resets: {
    hash: string;
    user_id: string;
    created_at_ms: number;
    expires_at_ms: number;
    /** Null if the member asked for the link by mail. */
    maker_kind: "admin_key" | "user" | null;
    maker_id: string | null;
    /** Set by the database when the member's or the creator's rights change. */
    is_void: Generated<number>;
  };
  /** `count` goes down as time passes. */
  sign_in_attempts: { name: string; count: number; last_at_ms: number };
  sign_in_devices: { hash: string; user_id: string; created_at_ms: number; last_used_at_ms: number };
  used_sign_in_codes: { user_id: string; hash: string; used_at_ms: number };
  used_sign_in_states: { hash: string; used_at_ms: number };
  sign_in_identities: { issuer: string; subject: string; user_id: string; created_at_ms: number };
}
