import { type SqlBool, sql } from "kysely";
import { MINUTE_MS } from "@/lib/contract/durations";
import { readsOf, type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import { type Sealing, seal, unseal, unsealOrNull } from "../../database/seal";
import type { PagedList } from "../../lists/paged-list";
import { Secret } from "../../secrets/secret";
import type { StoredItem } from "./response-store.sql";

/** A conversation that responses go on with. */
export interface ModelConversation {
  readonly id: string;
  readonly projectId: string;
  readonly createdAtMs: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** Another number after each change of its items. */
  readonly revision: number;
}

/** A response's claim on the conversation that it continues. */
interface Claim extends Pick<ModelConversation, "id" | "revision"> {
  readonly requestId: string;
  readonly nowMs: number;
}

/** By then a call that claimed a conversation has its hold, or has ended without one. */
const CLAIM_MS = MINUTE_MS;

/** Stores the conversations of responses. Their texts are encrypted. */
export class ModelConversationStore {
  constructor(
    private readonly reads: Reads,
    private readonly sealing: Sealing,
  ) {}

  /** Null for an unknown or deleted one, and for one that was encrypted with another secret. */
  async find(id: string): Promise<ModelConversation | null> {
    const row = await this.reads
      .selectFrom("response_conversations")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) return null;
    const { project_id: projectId, created_at_ms: createdAtMs, revision } = row;
    const text = unsealOrNull(row.sealed_metadata, describeConversation(id, projectId), this.sealing.key);
    return text === null ? null : { id, projectId, createdAtMs, metadata: JSON.parse(text), revision };
  }

  async findItem(id: string, itemId: string): Promise<StoredItem | null> {
    const row = await selectItems(this.reads, id).where("id", "=", itemId).executeTakeFirst();
    return row ? this.#toItem(row) : null;
  }

  /** All items, in their order. */
  async listItems(id: string): Promise<StoredItem[]> {
    const rows = await selectItems(this.reads, id).orderBy("position").execute();
    return rows.map((row) => this.#toItem(row));
  }

  /** How many characters the encrypted items take. */
  async measure(id: string): Promise<number> {
    const row = await selectItems(this.reads, id)
      .clearSelect()
      .select(sql<number>`coalesce(sum(length(sealed_item)), 0)`.as("characters"))
      .executeTakeFirst();
    return Number(row?.characters ?? 0);
  }

  /** Whether a project has at least so many conversations. */
  async hasAsMany(transaction: Transaction, projectId: string, count: number): Promise<boolean> {
    const last = await readsOf(transaction)
      .selectFrom("response_conversations")
      .select("id")
      .where("project_id", "=", projectId)
      .offset(count - 1)
      .limit(1)
      .executeTakeFirst();
    return last !== undefined;
  }

  /** Latest first. */
  pages(id: string): PagedList<StoredItem> {
    const findPosition = async (itemId: string) =>
      (await selectItems(this.reads, id).where("id", "=", itemId).executeTakeFirst())?.position;
    return {
      has: async (itemId) => (await findPosition(itemId)) !== undefined,
      read: async ({ after, before, order, limit }) => {
        const isDescending = order !== "desc";
        const isBackwards = before !== undefined && after === undefined;
        const [following, preceding] = isDescending ? (["<", ">"] as const) : ([">", "<"] as const);
        let page = selectItems(this.reads, id)
          .orderBy("position", isDescending === isBackwards ? "asc" : "desc")
          .limit(limit);
        if (after !== undefined) page = page.where("position", following, (await findPosition(after)) ?? 0);
        if (before !== undefined) page = page.where("position", preceding, (await findPosition(before)) ?? 0);
        const rows = await page.execute();
        return (isBackwards ? rows.toReversed() : rows).map((row) => this.#toItem(row));
      },
    };
  }

  async insert(
    transaction: Transaction,
    { id, projectId, createdAtMs, metadata, revision }: ModelConversation,
  ): Promise<void> {
    const sealed_metadata = this.#seal(metadata, describeConversation(id, projectId));
    const times = { created_at_ms: createdAtMs, updated_at_ms: createdAtMs };
    await within(transaction)
      .insertInto("response_conversations")
      .values({ id, project_id: projectId, ...times, sealed_metadata, revision })
      .execute();
  }

  async saveMetadata(
    transaction: Transaction,
    { id, projectId, metadata }: Pick<ModelConversation, "id" | "projectId" | "metadata">,
  ): Promise<void> {
    await within(transaction)
      .updateTable("response_conversations")
      .set({ sealed_metadata: this.#seal(metadata, describeConversation(id, projectId)) })
      .where("id", "=", id)
      .execute();
  }

  async delete(transaction: Transaction, id: string): Promise<void> {
    const queries = within(transaction);
    await queries.deleteFrom("response_conversation_items").where("conversation_id", "=", id).execute();
    await queries.deleteFrom("response_conversations").where("id", "=", id).execute();
  }

  /** Adds items at the end, with `freshId` in place of an id that another item has. Nothing where it was deleted. */
  async append(
    transaction: Transaction,
    id: string,
    {
      items,
      nowMs,
      freshId,
    }: { items: readonly StoredItem[]; nowMs: number; freshId(index: number): string },
  ): Promise<readonly StoredItem[]> {
    const touched = await touch(transaction, id, nowMs).returning("id").executeTakeFirst();
    if (!touched) return [];
    const rows = await selectItems(readsOf(transaction), id)
      .clearSelect()
      .select(["id", "position"])
      .orderBy("position")
      .execute();
    const taken = new Set(rows.map((row) => row.id));
    const last = rows.at(-1)?.position ?? 0;
    const added = items.map((item, index) => {
      const own = taken.has(item.id) ? { ...item, id: freshId(index) } : item;
      taken.add(own.id);
      return own;
    });
    for (const [index, item] of added.entries()) {
      const place = { conversation_id: id, position: last + index + 1, id: item.id, created_at_ms: nowMs };
      const sealed_item = this.#seal(item, describeItem(id, item.id));
      await within(transaction)
        .insertInto("response_conversation_items")
        .values({ ...place, sealed_item })
        .execute();
    }
    return added;
  }

  async deleteItem(transaction: Transaction, id: string, itemId: string, nowMs: number): Promise<void> {
    await within(transaction)
      .deleteFrom("response_conversation_items")
      .where("conversation_id", "=", id)
      .where("id", "=", itemId)
      .execute();
    await touch(transaction, id, nowMs).execute();
  }

  /**
   * Lets one response go on with a conversation, from the items that it has read.
   * @returns false where its items have changed, or another response under way has it.
   */
  async claim(transaction: Transaction, { id, revision, requestId, nowMs }: Claim): Promise<boolean> {
    const claimed = await within(transaction)
      .updateTable("response_conversations")
      .set({ busy_by: requestId, busy_since_ms: nowMs })
      .where("id", "=", id)
      .where("revision", "=", revision)
      .where(
        sql<SqlBool>`(busy_by IS NULL OR (busy_since_ms <= ${nowMs - CLAIM_MS}
          AND NOT EXISTS (SELECT 1 FROM holds WHERE holds.request_id = busy_by)))`,
      )
      .returning("id")
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async release(transaction: Transaction, id: string, requestId: string): Promise<void> {
    await within(transaction)
      .updateTable("response_conversations")
      .set({ busy_by: null, busy_since_ms: null })
      .where("id", "=", id)
      .where("busy_by", "=", requestId)
      .execute();
  }

  #seal(value: unknown, subject: string): string {
    return seal(new Secret(JSON.stringify(value)), subject, this.sealing);
  }

  #toItem({ conversation_id, id, sealed_item }: Tables["response_conversation_items"]): StoredItem {
    return JSON.parse(unseal(sealed_item, describeItem(conversation_id, id), this.sealing.key).reveal());
  }
}

const selectItems = (queries: Reads, id: string) =>
  queries.selectFrom("response_conversation_items").selectAll().where("conversation_id", "=", id);

const touch = (transaction: Transaction, id: string, nowMs: number) =>
  within(transaction)
    .updateTable("response_conversations")
    .set((eb) => ({ updated_at_ms: nowMs, revision: eb("revision", "+", 1) }))
    .where("id", "=", id);

/** Authenticates the stored texts: they can't be moved to another conversation or project. */
function describeConversation(id: string, projectId: string): string {
  return `conversation ${id} of ${projectId}`;
}

function describeItem(conversationId: string, id: string): string {
  return `item ${id} of ${conversationId}`;
}
