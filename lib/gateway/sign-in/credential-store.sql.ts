import { within } from "../changes/transactions.sql";
import type { Database, Reads } from "../database/database";
import type { Tables } from "../database/schema";
import type { CredentialStore } from "./credentials";
import { verifyPassword } from "./passwords/password-hash";
import type { PasswordReset, PasswordResetStore } from "./passwords/password-resets";

/** The provider under which the sign-in library files passwords. */
const PASSWORD = "credential";
/** A hash that no password matches. Verifying against it takes as long as against a member's. */
const NOBODYS_PASSWORD =
  "$argon2id$v=19$m=19456,t=2,p=1$npuCCs/dAPT23Tisa89cSZJ1HZQJGdqwflDYxFUrkVg$jmKqP7TvEE/xn6gfJdNyJFBE8tfcsAKzh3VLl3ECV3g";

/** Members' passwords and second factors, in the sign-in library's tables. */
export function createSqliteCredentialStore(reads: Reads): CredentialStore {
  return {
    async find(userId) {
      const user = await reads
        .selectFrom("sign_in_users")
        .select("two_factor_enabled")
        .where("id", "=", userId)
        .executeTakeFirst();
      if (!user) return null;
      const accounts = await reads
        .selectFrom("sign_in_accounts")
        .select("provider_id")
        .where("user_id", "=", userId)
        .execute();
      return {
        hasPassword: accounts.some((account) => account.provider_id === PASSWORD),
        hasTwoFactor: user.two_factor_enabled === 1,
      };
    },
    async hasAnyPassword() {
      const passwordAccounts = reads
        .selectFrom("sign_in_accounts")
        .select("id")
        .where("provider_id", "=", PASSWORD);
      return (await passwordAccounts.limit(1).executeTakeFirst()) !== undefined;
    },
    async verifyPassword(userId, password) {
      const account = await reads
        .selectFrom("sign_in_accounts")
        .select("password")
        .where("user_id", "=", userId ?? "")
        .where("provider_id", "=", PASSWORD)
        .executeTakeFirst();
      const isRight = await verifyPassword(password, account?.password ?? NOBODYS_PASSWORD);
      return isRight && typeof account?.password === "string";
    },
    async setPassword(transaction, member, passwordHash, atMs) {
      await insertSignInUser(within(transaction), member, atMs);
      await putPassword(within(transaction), member.id, passwordHash, atMs);
    },
    async removeTwoFactor(transaction, userId, atMs) {
      const queries = within(transaction);
      const removedAccount = await queries
        .deleteFrom("sign_in_two_factors")
        .where("user_id", "=", userId)
        .returning("id")
        .executeTakeFirst();
      await queries
        .updateTable("sign_in_users")
        .set({ two_factor_enabled: 0, updated_at: iso(atMs) })
        .where("id", "=", userId)
        .execute();
      return removedAccount !== undefined;
    },
    async logFailedSignIn(transaction, { id, email }) {
      const change = { object: "users", id, subject_id: null, project_id: null, before: null };
      const userJson = JSON.stringify({ id, email });
      await within(transaction)
        .insertInto("audit_pending")
        .values({ ...change, after: userJson })
        .execute();
    },
  };
}

export function createSqlitePasswordResetStore(reads: Reads): PasswordResetStore {
  return {
    async insert(transaction, { hash, userId, maker, createdAtMs, expiresAtMs }) {
      const by = { maker_kind: maker?.kind ?? null, maker_id: maker?.id ?? null };
      const values = { hash, user_id: userId, created_at_ms: createdAtMs, expires_at_ms: expiresAtMs, ...by };
      const queries = within(transaction);
      await queries.deleteFrom("password_resets").where("user_id", "=", userId).execute();
      await queries.insertInto("password_resets").values(values).execute();
    },
    async find(hash, nowMs) {
      const row = await reads
        .selectFrom("password_resets")
        .select(resetColumns)
        .where("hash", "=", hash)
        .where("expires_at_ms", ">", nowMs)
        .where("is_void", "=", 0)
        .executeTakeFirst();
      return row ? toReset(row) : null;
    },
    async take(transaction, hash, nowMs) {
      const row = await within(transaction)
        .deleteFrom("password_resets")
        .where("hash", "=", hash)
        .where("expires_at_ms", ">", nowMs)
        .where("is_void", "=", 0)
        .returning(resetColumns)
        .executeTakeFirst();
      return row ? toReset(row) : null;
    },
  };
}

const resetColumns = ["user_id", "maker_kind", "maker_id"] as const;

function toReset(row: Pick<Tables["password_resets"], (typeof resetColumns)[number]>): PasswordReset {
  const maker = row.maker_kind && row.maker_id ? { kind: row.maker_kind, id: row.maker_id } : null;
  return { userId: row.user_id, maker };
}

/** Adds a member to the sign-in library's tables if they are missing. */
export async function insertSignInUser(
  database: Database,
  { id, email, name }: { id: string; email: string; name: string },
  atMs: number,
): Promise<void> {
  const times = { created_at: iso(atMs), updated_at: iso(atMs) };
  await database
    .insertInto("sign_in_users")
    .values({ id, email, name, email_verified: 1, image: null, two_factor_enabled: 0, ...times })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Sets or replaces the hash of a member's password. */
export async function putPassword(
  database: Database,
  userId: string,
  password: string,
  atMs: number,
): Promise<void> {
  const values = {
    id: `password_${userId}`,
    user_id: userId,
    provider_id: PASSWORD,
    account_id: userId,
    password,
    created_at: iso(atMs),
    updated_at: iso(atMs),
  };
  await database
    .insertInto("sign_in_accounts")
    .values(values)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ password, updated_at: iso(atMs) }))
    .execute();
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
