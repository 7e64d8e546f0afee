import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { listById } from "../../database/list-pages";
import type { Tables } from "../../database/schema";
import type { KeyCreator } from "../../keys/key-records";
import type { PagedList } from "../../lists/paged-list";

/** A link that shows a call's receipt without sign-in. A revoked one is deleted. */
export interface ReceiptLinkRecord {
  readonly id: string;
  readonly requestId: string;
  readonly projectId: string;
  /** The hash of the token in the link. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly maker: KeyCreator;
}

export type ReceiptLinkStore = ReturnType<typeof createReceiptLinkStore>;

export function createReceiptLinkStore(reads: Reads) {
  const working = (requestId: string, nowMs: number) =>
    reads.selectFrom("receipt_links").where("request_id", "=", requestId).where("expires_at_ms", ">", nowMs);
  return {
    /** The links to a call that still work, newest first. */
    pages(requestId: string, nowMs: number): PagedList<ReceiptLinkRecord> {
      return listById(working(requestId, nowMs).selectAll(), { id: "id", defaultOrder: "desc" }, toRecord);
    },
    async countWorking(requestId: string, nowMs: number): Promise<number> {
      return (await working(requestId, nowMs).select("id").execute()).length;
    },
    async find(id: string): Promise<ReceiptLinkRecord | null> {
      const row = await reads.selectFrom("receipt_links").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async findByHash(hash: string): Promise<ReceiptLinkRecord | null> {
      const row = await reads
        .selectFrom("receipt_links")
        .selectAll()
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** Inserts a link, and deletes those that have expired. */
    async insert(transaction: Transaction, link: ReceiptLinkRecord): Promise<void> {
      await within(transaction)
        .deleteFrom("receipt_links")
        .where("expires_at_ms", "<=", link.createdAtMs)
        .execute();
      await within(transaction)
        .insertInto("receipt_links")
        .values({
          id: link.id,
          request_id: link.requestId,
          project_id: link.projectId,
          hash: link.hash,
          created_at_ms: link.createdAtMs,
          expires_at_ms: link.expiresAtMs,
          maker_kind: link.maker.kind,
          maker_id: link.maker.id,
          maker_name: link.maker.name,
        })
        .execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("receipt_links").where("id", "=", id).execute();
    },
  };
}

function toRecord(row: Tables["receipt_links"]): ReceiptLinkRecord {
  return {
    id: row.id,
    requestId: row.request_id,
    projectId: row.project_id,
    hash: row.hash,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
  };
}
