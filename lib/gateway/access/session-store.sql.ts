import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";
import type { ActorRef } from "../roles/actor";

export interface SessionRecord {
  readonly id: string;
  readonly actor: ActorRef;
  readonly hash: string;
  /** The user agent that the client sent. */
  readonly userAgent: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export function createSessionStore(reads: Reads) {
  return {
    async listUnexpired(nowMs: number): Promise<SessionRecord[]> {
      const rows = await reads
        .selectFrom("sessions")
        .selectAll()
        .where("expires_at_ms", ">", nowMs)
        .orderBy("id")
        .execute();
      return rows.map(toRecord);
    },
    /** Null if there is none. */
    async find(id: string): Promise<SessionRecord | null> {
      const row = await reads.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async deleteExpired(transaction: Transaction, nowMs: number): Promise<void> {
      await within(transaction).deleteFrom("sessions").where("expires_at_ms", "<=", nowMs).execute();
    },
    async insert(
      transaction: Transaction,
      { id, actor, hash, userAgent, createdAtMs, expiresAtMs }: SessionRecord,
    ): Promise<void> {
      const times = { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs };
      const actorColumns = {
        admin_api_key_id: actor.kind === "admin_key" ? actor.id : null,
        user_id: actor.kind === "user" ? actor.id : null,
      };
      await within(transaction)
        .insertInto("sessions")
        .values({ id, ...actorColumns, hash, user_agent: userAgent, ...times })
        .execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("sessions").where("id", "=", id).execute();
    },
    /** Ends all sessions of a member or an admin key but one. */
    async deleteOthers(
      transaction: Transaction,
      { kind, id }: ActorRef,
      keptId: string | null,
    ): Promise<void> {
      const column = kind === "user" ? "user_id" : "admin_api_key_id";
      const otherSessions = within(transaction).deleteFrom("sessions").where(column, "=", id);
      await (keptId === null ? otherSessions : otherSessions.where("id", "!=", keptId)).execute();
    },
    ...signInTokens(reads),
    /** Whether anybody has ever signed in or used an admin key. */
    hasAnyoneEntered: (): Promise<boolean> => hasAnyoneEntered(reads),
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

function signInTokens(reads: Reads) {
  return {
    async insertSignInToken(
      transaction: Transaction,
      { hash, adminKeyId, expiresAtMs }: { hash: string; adminKeyId: string; expiresAtMs: number },
    ): Promise<void> {
      const values = { hash, admin_api_key_id: adminKeyId, expires_at_ms: expiresAtMs, used_at_ms: null };
      await within(transaction).insertInto("sign_in_tokens").values(values).execute();
    },
    /** Whether the token is unused and unexpired. */
    async isSignInTokenUsable(hash: string, nowMs: number): Promise<boolean> {
      const row = await reads
        .selectFrom("sign_in_tokens")
        .select("hash")
        .where("hash", "=", hash)
        .where("used_at_ms", "is", null)
        .where("expires_at_ms", ">", nowMs)
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Marks an unused, unexpired token as used. @returns the admin key it signs in, or null. */
    async redeemSignInToken(
      transaction: Transaction,
      hash: string,
      nowMs: number,
    ): Promise<{ adminKeyId: string } | null> {
      const row = await within(transaction)
        .updateTable("sign_in_tokens")
        .set({ used_at_ms: nowMs })
        .where("hash", "=", hash)
        .where("used_at_ms", "is", null)
        .where("expires_at_ms", ">", nowMs)
        .returning("admin_api_key_id")
        .executeTakeFirst();
      return row ? { adminKeyId: row.admin_api_key_id } : null;
    },
  };
}

async function hasAnyoneEntered(reads: Reads): Promise<boolean> {
  const link = reads.selectFrom("sign_in_tokens").select("used_at_ms").where("used_at_ms", "is not", null);
  const key = reads
    .selectFrom("admin_api_keys")
    .select("last_used_at_ms")
    .where("last_used_at_ms", "is not", null);
  // Sign-ins are events, too, and stay when their session has ended.
  const actor = reads.selectFrom("audit_logs").select("seq").where("actor_kind", "is not", null);
  const found = [link.executeTakeFirst(), key.executeTakeFirst(), actor.limit(1).executeTakeFirst()];
  return (await Promise.all<unknown>(found)).some((row) => row !== undefined);
}

function toRecord(row: Tables["sessions"]): SessionRecord {
  return {
    id: row.id,
    actor: toActor(row),
    hash: row.hash,
    userAgent: row.user_agent,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
  };
}

function toActor(row: Tables["sessions"]): ActorRef {
  if (row.user_id !== null) return { kind: "user", id: row.user_id };
  return { kind: "admin_key", id: row.admin_api_key_id as string };
}
