import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { InviteRecord, InviteStore } from "./invite-store";

export function createSqliteInviteStore(reads: Reads): InviteStore {
  return {
    pages: () =>
      listById(reads.selectFrom("invites").selectAll(), { id: "id", defaultOrder: "desc" }, toRecord),
    async find(id) {
      const row = await reads.selectFrom("invites").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async findPendingByEmail(email, nowMs) {
      const row = await pending(reads, nowMs).where("email", "=", email).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(
      transaction,
      { id, email, roleId, projects, hash, createdAtMs, expiresAtMs, acceptedAtMs, inviter },
    ) {
      const by = { inviter_kind: inviter?.kind ?? null, inviter_id: inviter?.id ?? null };
      const times = { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs, accepted_at_ms: acceptedAtMs };
      await within(transaction)
        .insertInto("invites")
        .values({ id, email, role_id: roleId, projects: JSON.stringify(projects), hash, ...times, ...by })
        .execute();
    },
    async delete(transaction, id) {
      const row = await within(transaction)
        .deleteFrom("invites")
        .where("id", "=", id)
        .where("accepted_at_ms", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async findPending(hash, nowMs) {
      const row = await pending(reads, nowMs).where("hash", "=", hash).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async accept(transaction, hash, nowMs) {
      const row = await within(transaction)
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

function pending(reads: Reads, nowMs: number) {
  return reads
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
