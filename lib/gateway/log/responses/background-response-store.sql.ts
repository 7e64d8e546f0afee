import { type SqlBool, sql } from "kysely";
import { noteAction, readsOf, type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { type Sealing, seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";
import { insertItems, type ResponseStatus, type StoredResponse, toResponseRow } from "./response-store.sql";

/** Identifies a request with an idempotency key when it is repeated. */
export interface RepeatKey {
  readonly key: string;
  readonly bodyHash: string;
}

/** A response that is to go on without its client. */
interface BegunResponse {
  readonly stored: StoredResponse;
  readonly owner: string;
  readonly repeat: RepeatKey | null;
  /** Where its end is told; null for nowhere. */
  readonly callbackUrl: URL | null;
}

/** The events of a response that were stored together. */
export interface ResponsePart {
  readonly number: number;
  readonly text: string;
}

/** A response under way. */
export interface ResponseUnderWay {
  readonly id: string;
  readonly owner: string;
  readonly status: ResponseStatus;
  /** Whether its process is known to be running. */
  readonly isOwned: boolean;
}

const UNDER_WAY = ["queued", "in_progress"] as const;

/**
 * Stores how responses of the background go on. The process that began one is its owner until it has ended, and what
 * another one writes of it has no effect.
 */
export class BackgroundResponseStore {
  constructor(
    private readonly reads: Reads,
    private readonly sealing: Sealing,
  ) {}

  /** The parts behind the one with this number, in their order. */
  async partsAfter(id: string, after: number): Promise<readonly ResponsePart[]> {
    const rows = await this.reads
      .selectFrom("response_parts")
      .select(["number", "sealed_text"])
      .where("response_id", "=", id)
      .where("number", ">", after)
      .orderBy("number")
      .execute();
    return rows.flatMap(({ number, sealed_text }) => {
      const text = unsealOrNull(sealed_text, describePart(id, number), this.sealing.key);
      return text === null ? [] : [{ number, text }];
    });
  }

  /** The latest response of a key that was used since then, and what had been asked for. */
  async findRepeated(
    transaction: Transaction,
    key: string,
    sinceMs: number,
  ): Promise<{ readonly id: string; readonly bodyHash: string | null } | null> {
    const row = await readsOf(transaction)
      .selectFrom("responses")
      .select(["id", "body_hash"])
      .where("repeat_key", "=", key)
      .where("created_at_ms", ">", sinceMs)
      .orderBy("created_at_ms", "desc")
      .executeTakeFirst();
    return row ? { id: row.id, bodyHash: row.body_hash } : null;
  }

  async listUnderWay(): Promise<readonly ResponseUnderWay[]> {
    const isOwned = sql<SqlBool>`EXISTS (SELECT 1 FROM leases WHERE leases.owner = responses.owner)`;
    const rows = await this.reads
      .selectFrom("responses")
      .select(["id", "owner", "status", isOwned.as("isOwned")])
      .where("owner", "is not", null)
      .execute();
    return rows.map(({ id, owner, status, isOwned: known }) => ({
      id,
      owner: owner ?? "",
      status: status as ResponseStatus,
      isOwned: Boolean(known),
    }));
  }

  async countUnderWay(transaction: Transaction, projectId: string): Promise<number> {
    const { responses } = await readsOf(transaction)
      .selectFrom("responses")
      .select(({ fn }) => fn.countAll<number>().as("responses"))
      .where("project_id", "=", projectId)
      .where("owner", "is not", null)
      .executeTakeFirstOrThrow();
    return Number(responses);
  }

  async insert(transaction: Transaction, begun: BegunResponse): Promise<void> {
    const { stored, owner, repeat, callbackUrl } = begun;
    const own = {
      status: "queued",
      owner,
      repeat_key: repeat?.key ?? null,
      body_hash: repeat?.bodyHash ?? null,
    };
    await within(transaction)
      .insertInto("responses")
      .values({ ...toResponseRow(stored, this.sealing), ...own })
      .execute();
    if (!callbackUrl) return;
    const { id, projectId: project_id, createdAtMs: due_at_ms } = stored;
    const sealed_url = seal(new Secret(callbackUrl.href), describeCallback(id), this.sealing);
    const row = { response_id: id, project_id, receiver: callbackUrl.origin, sealed_url, due_at_ms };
    await within(transaction)
      .insertInto("response_callbacks")
      .values({ ...row, status: "waiting", tries: 0 })
      .execute();
  }

  /** Its end is to be told. */
  async #tellEnd(transaction: Transaction, id: string, ended_at_ms: number): Promise<void> {
    await within(transaction)
      .updateTable("response_callbacks")
      .set({ status: "pending", ended_at_ms, due_at_ms: ended_at_ms })
      .where("response_id", "=", id)
      .where("status", "=", "waiting")
      .execute();
  }

  /** Forgets a response whose call was refused before anything was sent. */
  async forget(transaction: Transaction, id: string, owner: string): Promise<void> {
    const forgotten = await within(transaction)
      .deleteFrom("responses")
      .where("id", "=", id)
      .where("owner", "=", owner)
      .where("status", "=", "queued")
      .returning("id")
      .executeTakeFirst();
    if (forgotten)
      await within(transaction).deleteFrom("response_callbacks").where("response_id", "=", id).execute();
  }

  /** Adds a part of the events, with the first of which a response is no longer queued. */
  async addPart(transaction: Transaction, id: string, owner: string, part: ResponsePart): Promise<void> {
    const queries = within(transaction);
    const status = sql<string>`CASE status WHEN 'queued' THEN 'in_progress' ELSE status END`;
    const row = await queries
      .updateTable("responses")
      .set({ status })
      .where("id", "=", id)
      .where("owner", "=", owner)
      .returning("id")
      .executeTakeFirst();
    if (!row) return;
    const sealed_text = seal(new Secret(part.text), describePart(id, part.number), this.sealing);
    await queries
      .insertInto("response_parts")
      .values({ response_id: id, number: part.number, sealed_text })
      .execute();
  }

  /**
   * Stores what a response under way has come to.
   * @returns false, with nothing stored, where it was cancelled or given up before.
   */
  async settle(
    transaction: Transaction,
    stored: StoredResponse,
    { owner, status }: Pick<ResponseUnderWay, "owner" | "status">,
    nowMs: number,
  ): Promise<boolean> {
    const { sealed_texts } = toResponseRow(stored, this.sealing);
    const settled = await within(transaction)
      .updateTable("responses")
      .set({ sealed_texts, status })
      .where("id", "=", stored.id)
      .where("owner", "=", owner)
      .where("status", "in", UNDER_WAY)
      .returning("id")
      .executeTakeFirst();
    if (!settled) return false;
    await this.#tellEnd(transaction, stored.id, nowMs);
    await insertItems(transaction, stored);
    return true;
  }

  /** Cancels a response under way; what its process still sends changes it no more. */
  async cancel(
    transaction: Transaction,
    { id, projectId: project_id }: Pick<StoredResponse, "id" | "projectId">,
    nowMs: number,
  ): Promise<void> {
    const cancelled = await within(transaction)
      .updateTable("responses")
      .set({ status: "cancelled" })
      .where("id", "=", id)
      .where("status", "in", UNDER_WAY)
      .returning("id")
      .executeTakeFirst();
    if (!cancelled) return;
    await this.#tellEnd(transaction, id, nowMs);
    await noteAction(transaction, { object: "responses", id, project_id });
  }

  /** Nothing of it comes any more. */
  async end(transaction: Transaction, id: string, owner: string): Promise<void> {
    await within(transaction)
      .updateTable("responses")
      .set({ owner: null })
      .where("id", "=", id)
      .where("owner", "=", owner)
      .execute();
  }
}

/** Authenticates a callback's address: it can't be moved to another response. */
export function describeCallback(id: string): string {
  return `callback of ${id}`;
}

/** Authenticates the stored parts: they can't be moved to another response. */
function describePart(id: string, number: number): string {
  return `part ${number} of ${id}`;
}
