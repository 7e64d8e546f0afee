import type { SessionHolder, SessionStore } from "../sessions/session-store";
import type { Database } from "./database";
import type { Tables } from "./schema";

export function createSqliteSessionStore(database: Database): SessionStore {
  return {
    async listUnexpired(nowMs) {
      await database.deleteFrom("sessions").where("expires_at_ms", "<=", nowMs).execute();
      const rows = await database.selectFrom("sessions").selectAll().execute();
      return rows.map((row) => ({
        id: row.id,
        holder: toHolder(row),
        hash: row.hash,
        userAgent: row.user_agent,
        createdAtMs: row.created_at_ms,
        expiresAtMs: row.expires_at_ms,
      }));
    },
    async insert({ id, holder, hash, userAgent, createdAtMs, expiresAtMs }) {
      const times = { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs };
      const of = {
        admin_api_key_id: holder.kind === "admin_key" ? holder.id : null,
        user_id: holder.kind === "user" ? holder.id : null,
      };
      await database
        .insertInto("sessions")
        .values({ id, ...of, hash, user_agent: userAgent, ...times })
        .execute();
    },
    async delete(id) {
      await database.deleteFrom("sessions").where("id", "=", id).execute();
    },
    async deleteOthers({ kind, id }, keptId) {
      const holder = kind === "user" ? "user_id" : "admin_api_key_id";
      const others = database.deleteFrom("sessions").where(holder, "=", id);
      await (keptId === null ? others : others.where("id", "!=", keptId)).execute();
    },
    async insertSignInToken({ hash, adminKeyId, expiresAtMs }) {
      const values = { hash, admin_api_key_id: adminKeyId, expires_at_ms: expiresAtMs, used_at_ms: null };
      await database.insertInto("sign_in_tokens").values(values).execute();
    },
    async redeemSignInToken(hash, nowMs) {
      const row = await database
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

function toHolder(row: Tables["sessions"]): SessionHolder {
  if (row.user_id !== null) return { kind: "user", id: row.user_id };
  return { kind: "admin_key", id: row.admin_api_key_id as string };
}
