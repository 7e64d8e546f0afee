import type { InviteRecord, InviteStore } from "../members/invite-store";
import type { Database } from "./database";
import { listById } from "./list-by-id";
import type { Tables } from "./schema";

export function createSqliteInviteStore(database: Database): InviteStore {
  return {
    listed: () => listById(database.selectFrom("invites").selectAll(), { id: "id", usual: "desc" }, toRecord),
    async find(id) {
      const row = await database.selectFrom("invites").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async findPendingOf(email, nowMs) {
      const row = await pending(database, nowMs).where("email", "=", email).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert({ id, email, roleId, projects, hash, createdAtMs, expiresAtMs, acceptedAtMs, inviter }) {
      const by = { inviter_kind: inviter?.kind ?? null, inviter_id: inviter?.id ?? null };
      const times = { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs, accepted_at_ms: acceptedAtMs };
      await database
        .insertInto("invites")
        .values({ id, email, role_id: roleId, projects: JSON.stringify(projects), hash, ...times, ...by })
        .execute();
    },
    async delete(id) {
      const row = await database
        .deleteFrom("invites")
        .where("id", "=", id)
        .where("accepted_at_ms", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async findPending(hash, nowMs) {
      const row = await pending(database, nowMs).where("hash", "=", hash).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async accept(hash, nowMs) {
      const row = await database
        .updateTable("invites")
        .set({ accepted_at_ms: nowMs })
        .where("hash", "=", hash)
        .where("accepted_at_ms", "is", null)
        .where("expires_at_ms", ">", nowMs)
        .returningAll()
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },
  };
}

function pending(database: Database, nowMs: number) {
  return database
    .selectFrom("invites")
    .selectAll()
    .where("accepted_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs);
}

function toRecord(row: Tables["invites"]): InviteRecord {
  return {
    id: row.id,
    email: row.email,
    roleId: row.role_id,
    projects: JSON.parse(row.projects) as InviteRecord["projects"],
    hash: row.hash,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    acceptedAtMs: row.accepted_at_ms,
    inviter: row.inviter_kind && row.inviter_id ? { kind: row.inviter_kind, id: row.inviter_id } : null,
  };
}
