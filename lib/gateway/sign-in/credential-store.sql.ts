import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";
import type { ActorRef } from "../roles/actor";
import { verifyPassword } from "./password-hash";

/** The value of `provider_id` in the row of a password. No other rows are written. */
const PASSWORD = "credential";
/** A hash that no password matches. Verifying against it takes as long as against a member's. */
const NOBODYS_PASSWORD =
  "$argon2id$v=19$m=19456,t=2,p=1$npuCCs/dAPT23Tisa89cSZJ1HZQJGdqwflDYxFUrkVg$jmKqP7TvEE/xn6gfJdNyJFBE8tfcsAKzh3VLl3ECV3g";

/** A member as the tables of sign-in know them. */
interface SignInMember {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** A member's second factor. Both texts are encrypted. */
export interface TwoFactorRecord {
  readonly sealedSecret: string;
  readonly sealedBackupCodes: string;
  /** Whether a code of the app has confirmed it. */
  readonly isOn: boolean;
}

/** Members' passwords and second factors. */
export function createCredentialStore(reads: Reads) {
  return {
    async hasPassword(userId: string): Promise<boolean> {
      return (await findPasswordHash(reads, userId)) !== null;
    },
    async hasAnyPassword(): Promise<boolean> {
      const passwords = reads.selectFrom("sign_in_accounts").select("id").where("provider_id", "=", PASSWORD);
      return (await passwords.limit(1).executeTakeFirst()) !== undefined;
    },
    /** @returns whether the password is correct. For null it is false, and takes as long. */
    async verifyPassword(userId: string | null, password: string): Promise<boolean> {
      const hash = userId === null ? null : await findPasswordHash(reads, userId);
      return (await verifyPassword(password, hash ?? NOBODYS_PASSWORD)) && hash !== null;
    },
    /** Sets or replaces a member's password. */
    async setPassword(
      transaction: Transaction,
      member: SignInMember,
      passwordHash: string,
      atMs: number,
    ): Promise<void> {
      await insertMember(transaction, member, atMs);
      const changed = { password: passwordHash, updated_at: iso(atMs) };
      await within(transaction)
        .insertInto("sign_in_accounts")
        .values({
          id: `password_${member.id}`,
          user_id: member.id,
          provider_id: PASSWORD,
          account_id: member.id,
          created_at: iso(atMs),
          ...changed,
        })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(changed))
        .execute();
    },
    ...twoFactors(reads),
    /** Records a member's failed sign-in in the audit log. It changes no row. */
    async logFailedSignIn(
      transaction: Transaction,
      { id, email }: { id: string; email: string },
    ): Promise<void> {
      const change = { object: "users", id, subject_id: null, project_id: null, before: null };
      const after = JSON.stringify({ id, email });
      await within(transaction)
        .insertInto("audit_pending")
        .values({ ...change, after })
        .execute();
    },
  };
}

export type CredentialStore = ReturnType<typeof createCredentialStore>;

function twoFactors(reads: Reads) {
  return {
    async findTwoFactor(userId: string): Promise<TwoFactorRecord | null> {
      const row = await reads
        .selectFrom("sign_in_two_factors")
        .select(["secret", "backup_codes", "verified"])
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row
        ? { sealedSecret: row.secret, sealedBackupCodes: row.backup_codes, isOn: row.verified === 1 }
        : null;
    },
    /** Replaces a setup that was not confirmed. @returns false, without changing anything, if the factor is on. */
    async draftTwoFactor(
      transaction: Transaction,
      userId: string,
      { sealedSecret, sealedBackupCodes }: Omit<TwoFactorRecord, "isOn">,
    ): Promise<boolean> {
      const draft = { secret: sealedSecret, backup_codes: sealedBackupCodes, verified: 0 };
      const row = await within(transaction)
        .insertInto("sign_in_two_factors")
        .values({ id: `two_factor_${userId}`, user_id: userId, ...draft })
        .onConflict((conflict) =>
          conflict.column("user_id").doUpdateSet(draft).where("sign_in_two_factors.verified", "=", 0),
        )
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Turns the factor on. @returns false if its secret was replaced since it was read. */
    async confirmTwoFactor(
      transaction: Transaction,
      userId: string,
      { sealedSecret }: TwoFactorRecord,
    ): Promise<boolean> {
      const row = await within(transaction)
        .updateTable("sign_in_two_factors")
        .set({ verified: 1 })
        .where("user_id", "=", userId)
        .where("secret", "=", sealedSecret)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** @returns false, without changing anything, if the codes were replaced since they were read. */
    async replaceBackupCodes(
      transaction: Transaction,
      userId: string,
      { from, to }: { from: TwoFactorRecord; to: string },
    ): Promise<boolean> {
      const row = await within(transaction)
        .updateTable("sign_in_two_factors")
        .set({ backup_codes: to })
        .where("user_id", "=", userId)
        .where("backup_codes", "=", from.sealedBackupCodes)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** @returns whether there was one, on or not. */
    async removeTwoFactor(transaction: Transaction, userId: string): Promise<boolean> {
      const row = await within(transaction)
        .deleteFrom("sign_in_two_factors")
        .where("user_id", "=", userId)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

async function findPasswordHash(reads: Reads, userId: string): Promise<string | null> {
  const row = await reads
    .selectFrom("sign_in_accounts")
    .select("password")
    .where("user_id", "=", userId)
    .where("provider_id", "=", PASSWORD)
    .executeTakeFirst();
  return row?.password ?? null;
}

/** Passwords and second factors refer to this row, and are deleted with it. */
async function insertMember(
  transaction: Transaction,
  { id, email, name }: SignInMember,
  atMs: number,
): Promise<void> {
  const times = { created_at: iso(atMs), updated_at: iso(atMs) };
  await within(transaction)
    .insertInto("sign_in_users")
    .values({ id, email, name, email_verified: 1, image: null, two_factor_enabled: 0, ...times })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** A link for a member's new password. */
export interface PasswordReset {
  readonly userId: string;
  /** The member or admin key that created the link; null if the member asked for it by mail. */
  readonly createdBy: ActorRef | null;
}

/** A reset is void once the permissions of its member or its creator have changed. */
export function createPasswordResetStore(reads: Reads) {
  return {
    /** Replaces the member's earlier reset. */
    async insert(
      transaction: Transaction,
      {
        hash,
        userId,
        createdBy,
        createdAtMs,
        expiresAtMs,
      }: PasswordReset & {
        readonly hash: string;
        readonly createdAtMs: number;
        readonly expiresAtMs: number;
      },
    ): Promise<void> {
      const by = { maker_kind: createdBy?.kind ?? null, maker_id: createdBy?.id ?? null };
      const values = { hash, user_id: userId, created_at_ms: createdAtMs, expires_at_ms: expiresAtMs, ...by };
      const queries = within(transaction);
      await queries.deleteFrom("password_resets").where("user_id", "=", userId).execute();
      await queries.insertInto("password_resets").values(values).execute();
    },
    /** Null for an expired or void one. */
    async find(hash: string, nowMs: number): Promise<PasswordReset | null> {
      const row = await reads
        .selectFrom("password_resets")
        .select(resetColumns)
        .where("hash", "=", hash)
        .where("expires_at_ms", ">", nowMs)
        .where("is_void", "=", 0)
        .executeTakeFirst();
      return row ? toReset(row) : null;
    },
    /** Deletes and returns a reset, atomically; null for an expired or void one. */
    async take(transaction: Transaction, hash: string, nowMs: number): Promise<PasswordReset | null> {
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

export type PasswordResetStore = ReturnType<typeof createPasswordResetStore>;

const resetColumns = ["user_id", "maker_kind", "maker_id"] as const;

function toReset(row: Pick<Tables["password_resets"], (typeof resetColumns)[number]>): PasswordReset {
  const createdBy = row.maker_kind && row.maker_id ? { kind: row.maker_kind, id: row.maker_id } : null;
  return { userId: row.user_id, createdBy };
}

/** A person at an OpenID provider. The pair never changes and is never reassigned (OpenID Connect Core, 2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Each identity belongs to at most one member, and each member has at most one identity. */
export function createIdentityStore(reads: Reads) {
  return {
    /** The member it belongs to. */
    async findMember({ issuer, subject }: Identity): Promise<string | null> {
      const row = await reads
        .selectFrom("sign_in_identities")
        .select("user_id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async isLinked(userId: string): Promise<boolean> {
      const linked = reads.selectFrom("sign_in_identities").select("user_id").where("user_id", "=", userId);
      return (await linked.executeTakeFirst()) !== undefined;
    },
    /** @returns false, without changing anything, if either is already linked. */
    async link(
      transaction: Transaction,
      { issuer, subject }: Identity,
      userId: string,
      atMs: number,
    ): Promise<boolean> {
      const row = await within(transaction)
        .insertInto("sign_in_identities")
        .values({ issuer, subject, user_id: userId, created_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** @returns whether there was one. */
    async unlink(transaction: Transaction, userId: string): Promise<boolean> {
      const row = await within(transaction)
        .deleteFrom("sign_in_identities")
        .where("user_id", "=", userId)
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;
