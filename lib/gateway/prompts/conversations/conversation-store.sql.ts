import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import { type Sealing, seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";

/** A saved playground conversation. */
export interface Conversation extends ConversationHead {
  /** JSON, in the console's own format. */
  readonly content: string;
}

export interface ConversationHead {
  readonly id: string;
  /** The member or admin key that owns it. */
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly title: string;
  /** Whether everyone with the link may read it. */
  readonly isShared: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

const heads = [
  "id",
  "owner_id",
  "project_id",
  "sealed_title",
  "is_shared",
  "created_at_ms",
  "updated_at_ms",
] as const;

/** Conversations, each sealed separately. */
export type ConversationStore = ReturnType<typeof createConversationStore>;

export function createConversationStore(reads: Reads, sealing: Sealing) {
  return {
    /** Null if there is none, or if it was sealed with another secret. */
    async find(id: string): Promise<Conversation | null> {
      const row = await reads.selectFrom("conversations").selectAll().where("id", "=", id).executeTakeFirst();
      const head = row && toHead(row, sealing.key);
      const content = row && unsealOrNull(row.sealed_content, describeSealedPart(id, "content"), sealing.key);
      return head && content ? { ...head, content } : null;
    },
    /** Newest first. */
    async listByOwner(ownerId: string): Promise<readonly ConversationHead[]> {
      const rows = await reads
        .selectFrom("conversations")
        .select(heads)
        .where("owner_id", "=", ownerId)
        .orderBy("updated_at_ms", "desc")
        .orderBy("id", "desc")
        .execute();
      return rows.flatMap((row) => toHead(row, sealing.key) ?? []);
    },
    async save(
      transaction: Transaction,
      { id, ownerId, projectId, title, isShared, createdAtMs, updatedAtMs, content }: Conversation,
    ): Promise<void> {
      const values = {
        project_id: projectId,
        sealed_title: seal(new Secret(title), describeSealedPart(id, "title"), sealing),
        is_shared: isShared ? (1 as const) : (0 as const),
        sealed_content: seal(new Secret(content), describeSealedPart(id, "content"), sealing),
        updated_at_ms: updatedAtMs,
      };
      await within(transaction)
        .insertInto("conversations")
        .values({ id, owner_id: ownerId, created_at_ms: createdAtMs, ...values })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(values).where("conversations.owner_id", "=", ownerId),
        )
        .execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("conversations").where("id", "=", id).execute();
    },
    /** Deletes all but the owner's `max` last changed conversations, and never the one that was just saved. */
    async keepNewest(
      transaction: Transaction,
      { id, ownerId }: ConversationHead,
      max: number,
    ): Promise<void> {
      const queries = within(transaction);
      const newest = queries
        .selectFrom("conversations")
        .select("id")
        .where("owner_id", "=", ownerId)
        .where("id", "!=", id)
        .orderBy("updated_at_ms", "desc")
        .orderBy("id", "desc")
        .limit(max - 1);
      const older = await queries
        .deleteFrom("conversations")
        .where("owner_id", "=", ownerId)
        .where("id", "!=", id)
        .where("id", "not in", newest)
        .returning("id")
        .execute();
      const olderIds = older.map((conversation) => conversation.id);
      await queries.deleteFrom("conversation_answers").where("conversation_id", "in", olderIds).execute();
    },
  };
}

type Head = Pick<Tables["conversations"], (typeof heads)[number]>;

/** Null if it was encrypted with another secret. */
function toHead(row: Head, key: Uint8Array): ConversationHead | null {
  const title = unsealOrNull(row.sealed_title, describeSealedPart(row.id, "title"), key);
  if (title === null) return null;
  return {
    id: row.id,
    ownerId: row.owner_id,
    projectId: row.project_id,
    title,
    isShared: row.is_shared === 1,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

function describeSealedPart(id: string, part: "title" | "content"): string {
  return `conversation ${part} ${id}`;
}
