import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { type Sealing, seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";
import type { ConversationTables } from "../prompt-schema";

/** A conversation's id and the id of an answer in it. */
export interface BackgroundAnswerName {
  readonly conversationId: string;
  readonly answerId: string;
}

/** The start of a reply: its status and the headers that clients read. */
export interface ReplyHead {
  readonly status: number;
  readonly contentType: string;
  /** The output limit, if the gateway lowered it. */
  readonly maxTokens: string | null;
}

/** The stored reply of a call, as far as it has arrived. */
export interface BackgroundAnswerRecord extends BackgroundAnswerName {
  readonly ownerId: string;
  readonly requestId: string;
  /** Null until the reply begins. */
  readonly head: ReplyHead | null;
  readonly isRunning: boolean;
  readonly isCanceled: boolean;
  /** Updated every few seconds while the call runs. If it is older, the call's process has died. */
  readonly updatedAtMs: number;
}

export interface BackgroundAnswerPart {
  readonly number: number;
  readonly text: string;
}

/** Stores the replies of calls that continue without their client. Each part is encrypted separately. */
export type BackgroundAnswerStore = ReturnType<typeof createBackgroundAnswerStore>;

export function createBackgroundAnswerStore(reads: Reads, sealing: Sealing) {
  return { ...createReads(reads, sealing.key), ...createWrites(sealing) };
}

function createReads(reads: Reads, key: Uint8Array) {
  return {
    async find(name: BackgroundAnswerName): Promise<BackgroundAnswerRecord | null> {
      const row = await reads
        .selectFrom("conversation_answers")
        .selectAll()
        .where("id", "=", formatAnswerId(name))
        .executeTakeFirst();
      return row ? toRecord(row, name) : null;
    },
    /** Returns the parts in order. `after` is the number of the last known part. */
    async partsAfter(name: BackgroundAnswerName, after: number): Promise<readonly BackgroundAnswerPart[]> {
      const rows = await reads
        .selectFrom("conversation_answer_parts")
        .select(["number", "sealed_text"])
        .where("answer_id", "=", formatAnswerId(name))
        .where("number", ">", after)
        .orderBy("number")
        .execute();
      return rows.flatMap(({ number, sealed_text }) => {
        const text = unsealOrNull(sealed_text, describeSealedText(name, number), key);
        return text === null ? [] : [{ number, text }];
      });
    },
  };
}

function createWrites(sealing: Sealing) {
  return {
    async insert(transaction: Transaction, { isCanceled, ...answer }: BackgroundAnswerRecord): Promise<void> {
      await within(transaction)
        .insertInto("conversation_answers")
        .values({
          ...toValues(answer),
          id: formatAnswerId(answer),
          conversation_id: answer.conversationId,
          owner_id: answer.ownerId,
          request_id: answer.requestId,
          is_canceled: isCanceled ? 1 : 0,
        })
        .execute();
    },
    /** Stores the present state. Doesn't change `isCanceled`. */
    async write(
      transaction: Transaction,
      answer: Omit<BackgroundAnswerRecord, "isCanceled">,
      part: BackgroundAnswerPart | null,
    ): Promise<void> {
      const queries = within(transaction);
      const { numUpdatedRows } = await queries
        .updateTable("conversation_answers")
        .set(toValues(answer))
        .where("id", "=", formatAnswerId(answer))
        .executeTakeFirst();
      if (!part || numUpdatedRows === 0n) return;
      const sealed_text = seal(new Secret(part.text), describeSealedText(answer, part.number), sealing);
      await queries
        .insertInto("conversation_answer_parts")
        .values({ answer_id: formatAnswerId(answer), number: part.number, sealed_text })
        .execute();
    },
    async cancel(transaction: Transaction, name: BackgroundAnswerName): Promise<void> {
      await within(transaction)
        .updateTable("conversation_answers")
        .set({ is_canceled: 1 })
        .where("id", "=", formatAnswerId(name))
        .execute();
    },
    async deleteByConversation(transaction: Transaction, conversationId: string): Promise<void> {
      await within(transaction)
        .deleteFrom("conversation_answers")
        .where("conversation_id", "=", conversationId)
        .execute();
    },
  };
}

function toRecord(
  row: ConversationTables["conversation_answers"],
  name: BackgroundAnswerName,
): BackgroundAnswerRecord {
  const { status, content_type: contentType, max_tokens: maxTokens } = row;
  return {
    ...name,
    ownerId: row.owner_id,
    requestId: row.request_id,
    head: status === null || contentType === null ? null : { status, contentType, maxTokens },
    isRunning: row.is_running === 1,
    isCanceled: row.is_canceled === 1,
    updatedAtMs: row.updated_at_ms,
  };
}

function toValues({ head, isRunning, updatedAtMs }: Omit<BackgroundAnswerRecord, "isCanceled">) {
  return {
    status: head?.status ?? null,
    content_type: head?.contentType ?? null,
    max_tokens: head?.maxTokens ?? null,
    is_running: isRunning ? (1 as const) : (0 as const),
    updated_at_ms: updatedAtMs,
  };
}

function formatAnswerId({ conversationId, answerId }: BackgroundAnswerName): string {
  return `${conversationId}/${answerId}`;
}

/** Authenticates the stored parts: with another text they could not be read. */
function describeSealedText(name: BackgroundAnswerName, number: number): string {
  return `conversation answer ${formatAnswerId(name)} ${number}`;
}
