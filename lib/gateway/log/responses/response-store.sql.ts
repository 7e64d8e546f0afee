import { noteAction, type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { type Sealing, seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";

/** An item of a conversation, in the form of the Responses API. */
export type StoredItem = Readonly<Record<string, unknown>> & { readonly id: string };

/** A response that its project keeps, with the items that were new in its request. */
export interface StoredResponse {
  readonly id: string;
  readonly projectId: string;
  readonly createdAtMs: number;
  readonly model: string;
  /** The response that it goes on from; null for the first of a conversation. */
  readonly previousId: string | null;
  readonly input: readonly StoredItem[];
  /** The output with what providers want again of their thinking, which clients see only where they ask for it. */
  readonly output: readonly StoredItem[];
  /** The response as its client got it. */
  readonly response: Readonly<Record<string, unknown>>;
  /** How a response of the background stands, and whether its process is still at it; absent for another one. */
  readonly background?: { readonly status: ResponseStatus; readonly isRunning: boolean };
}

/** Whether a response of the background goes on, or how it has ended. */
export type ResponseStatus = "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

type Texts = Pick<StoredResponse, "input" | "output" | "response">;

export type ResponseStore = ReturnType<typeof createResponseStore>;

/** Stores responses. Their texts are encrypted. */
export function createResponseStore(reads: Reads, sealing: Sealing) {
  async function find(id: string): Promise<StoredResponse | null> {
    const row = await reads.selectFrom("responses").selectAll().where("id", "=", id).executeTakeFirst();
    const text = row ? unsealOrNull(row.sealed_texts, describeSealed(row), sealing.key) : null;
    if (!row || text === null) return null;
    const { project_id: projectId, created_at_ms: createdAtMs, model, previous_id: previousId } = row;
    const known = { id, projectId, createdAtMs, model, previousId };
    const { response, ...items } = JSON.parse(text) as Texts;
    if (row.status === null) return { ...known, ...items, response };
    const status = row.status as ResponseStatus;
    const background = { status, isRunning: row.owner !== null };
    return { ...known, ...items, response: { ...response, status }, background };
  }
  return {
    /** Null for an unknown or deleted one, and for one that was encrypted with another secret. */
    find,
    async insert(transaction: Transaction, stored: StoredResponse): Promise<void> {
      await within(transaction)
        .insertInto("responses")
        .values(toResponseRow(stored, sealing))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await insertItems(transaction, stored);
    },
    /** The response that an item belongs to, by the item's shown id; null if no such response is kept. */
    async findByItem(projectId: string, itemId: string): Promise<StoredResponse | null> {
      const [, stem] = OWN_ITEM.exec(itemId) ?? [];
      if (stem) return find(`resp_${stem}`);
      const row = await reads
        .selectFrom("response_items")
        .select("response_id")
        .where("project_id", "=", projectId)
        .where("item_id", "=", itemId)
        .executeTakeFirst();
      return row ? find(row.response_id) : null;
    },
    async delete(
      transaction: Transaction,
      { id, projectId: project_id }: Pick<StoredResponse, "id" | "projectId">,
    ): Promise<void> {
      await noteAction(transaction, { object: "responses", id, project_id });
      await within(transaction).deleteFrom("response_items").where("response_id", "=", id).execute();
      await within(transaction).deleteFrom("response_parts").where("response_id", "=", id).execute();
      await within(transaction).deleteFrom("response_callbacks").where("response_id", "=", id).execute();
      await within(transaction).deleteFrom("responses").where("id", "=", id).execute();
    },
  };
}

/** The row of a response that is kept. */
export function toResponseRow(
  { id, projectId: project_id, createdAtMs, model, previousId, input, output, response }: StoredResponse,
  sealing: Sealing,
) {
  const secret = new Secret(JSON.stringify({ input, output, response } satisfies Texts));
  const sealed_texts = seal(secret, describeSealed({ id, project_id }), sealing);
  return { id, project_id, created_at_ms: createdAtMs, model, previous_id: previousId, sealed_texts };
}

/** Notes which response has an item that its provider has named. */
export async function insertItems(
  transaction: Transaction,
  { id, projectId: project_id, output }: Pick<StoredResponse, "id" | "projectId" | "output">,
): Promise<void> {
  for (const item of output.filter((one) => one.id && OWN_ITEM.exec(one.id)?.[1] !== toStem(id)))
    await within(transaction)
      .insertInto("response_items")
      .values({ project_id, item_id: item.id, response_id: id })
      .onConflict((conflict) => conflict.columns(["project_id", "item_id"]).doUpdateSet({ response_id: id }))
      .execute();
}

/** The ids of items of ours, which name their response: of its output, and of its input. */
const OWN_ITEM = /^[a-z]+_([0-9a-z]{26})_(?:in)?\d+$/;

const toStem = (responseId: string) => responseId.slice("resp_".length);

/** Authenticates the stored texts: they can't be moved to another response or project. */
function describeSealed({ id, project_id }: { readonly id: string; readonly project_id: string }): string {
  return `response ${id} of ${project_id}`;
}
