import { sql } from "kysely";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";
import type { ActorRef } from "../roles/actor";

export interface InviteRecord {
  readonly id: string;
  /** The address in lower case. */
  readonly email: string;
  /** The role in the organization. */
  readonly roleId: string;
  readonly projects: readonly { readonly projectId: string; readonly roleId: string }[];
  /** The groups that it leads into. */
  readonly groupIds: readonly string[];
  /** The hash of the token in the invitation's link. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly acceptedAtMs: number | null;
  /** The invitation is void once the inviter may no longer invite. Null if the inviter is unknown. */
  readonly inviter: ActorRef | null;
}

/** An invitation that was accepted before its expiry stays accepted. */
export function inviteStatus(
  { acceptedAtMs, expiresAtMs }: InviteRecord,
  nowMs: number,
): "pending" | "accepted" | "expired" {
  if (acceptedAtMs !== null) return "accepted";
  return expiresAtMs <= nowMs ? "expired" : "pending";
}

export function createInviteStore(reads: Reads) {
  return {
    /** Newest first. `isOpen`: not accepted, the last one to its address, and to nobody who is a member. */
    pages(isOpen: boolean): PagedList<InviteRecord> {
      const all = reads.selectFrom("invites").selectAll();
      return listById(isOpen ? all.where(OPEN) : all, { id: "id", defaultOrder: "desc" }, toRecord);
    },
    async find(id: string): Promise<InviteRecord | null> {
      const row = await reads.selectFrom("invites").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** All that are pending and unexpired, oldest first. */
    async listPending(nowMs: number): Promise<InviteRecord[]> {
      return (await pending(reads, nowMs).orderBy("id").execute()).map(toRecord);
    },
    /** The pending, unexpired invitation to an address. */
    async findPendingByEmail(email: string, nowMs: number): Promise<InviteRecord | null> {
      const row = await pending(reads, nowMs).where("email", "=", email).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(transaction: Transaction, invite: InviteRecord): Promise<void> {
      await within(transaction).insertInto("invites").values(toRow(invite)).execute();
    },
    /** Deletes an invitation that is not accepted. @returns whether there was one. */
    async delete(transaction: Transaction, id: string): Promise<boolean> {
      const row = await within(transaction)
        .deleteFrom("invites")
        .where("id", "=", id)
        .where("accepted_at_ms", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** The pending invitation by this hash. */
    async findPending(hash: string, nowMs: number): Promise<InviteRecord | null> {
      const row = await pending(reads, nowMs).where("hash", "=", hash).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /**
     * Marks a pending invitation as accepted, atomically.
     * @returns the invitation; null if none with this hash is pending.
     */
    async accept(transaction: Transaction, hash: string, nowMs: number): Promise<InviteRecord | null> {
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

export type InviteStore = ReturnType<typeof createInviteStore>;

const OPEN = sql<boolean>`accepted_at_ms IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM invites AS newer
    WHERE newer.email = invites.email AND newer.accepted_at_ms IS NULL AND newer.id > invites.id)
  AND NOT EXISTS (SELECT 1 FROM users WHERE users.email = invites.email AND users.removed_at_ms IS NULL)`;

function pending(reads: Reads, nowMs: number) {
  return reads
    .selectFrom("invites")
    .selectAll()
    .where("accepted_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs);
}

function toRow(invite: InviteRecord): Tables["invites"] {
  return {
    id: invite.id,
    email: invite.email,
    role_id: invite.roleId,
    projects: JSON.stringify(invite.projects),
    group_ids: JSON.stringify(invite.groupIds),
    hash: invite.hash,
    created_at_ms: invite.createdAtMs,
    expires_at_ms: invite.expiresAtMs,
    accepted_at_ms: invite.acceptedAtMs,
    inviter_kind: invite.inviter?.kind ?? null,
    inviter_id: invite.inviter?.id ?? null,
  };
}

function toRecord(row: Tables["invites"]): InviteRecord {
  return {
    id: row.id,
    email: row.email,
    roleId: row.role_id,
    projects: JSON.parse(row.projects) as InviteRecord["projects"],
    groupIds: JSON.parse(row.group_ids) as string[],
    hash: row.hash,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    acceptedAtMs: row.accepted_at_ms,
    inviter: row.inviter_kind && row.inviter_id ? { kind: row.inviter_kind, id: row.inviter_id } : null,
  };
}
