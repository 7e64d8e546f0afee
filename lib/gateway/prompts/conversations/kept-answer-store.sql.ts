import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { type Sealing, seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";
import type { ConversationTables } from "./conversation-schema";
import type { KeptAnswerName, KeptAnswerRecord, KeptAnswerStore } from "./kept-answer-store";

export function createSqliteKeptAnswerStore(reads: Reads, sealing: Sealing): KeptAnswerStore {
  return {
    async find(name) {
      const row = await reads
        .selectFrom("conversation_answers")
        .selectAll()
        .where("id", "=", formatAnswerId(name))
        .executeTakeFirst();
      return row ? toRecord(row, name) : null;
    },
    async partsAfter(name, after) {
      const rows = await reads
        .selectFrom("conversation_answer_parts")
        .select(["number", "sealed_text"])
        .where("answer_id", "=", formatAnswerId(name))
        .where("number", ">", after)
        .orderBy("number")
        .execute();
      return rows.flatMap(({ number, sealed_text }) => {
        const text = unsealOrNull(sealed_text, describeSealedText(name, number), sealing.key);
        return text === null ? [] : [{ number, text }];
      });
    },
    async insert(transaction, { isCanceled, ...answer }) {
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
    async write(transaction, answer, part) {
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
    async cancel(transaction, name) {
      await within(transaction)
        .updateTable("conversation_answers")
        .set({ is_canceled: 1 })
        .where("id", "=", formatAnswerId(name))
        .execute();
    },
    async deleteByConversation(transaction, conversationId) {
      await within(transaction)
        .deleteFrom("conversation_answers")
        .where("conversation_id", "=", conversationId)
        .execute();
    },
  };
}

function toRecord(row: ConversationTables["conversation_answers"], name: KeptAnswerName): KeptAnswerRecord {
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

function toValues({ head, isRunning, updatedAtMs }: Omit<KeptAnswerRecord, "isCanceled">) {
  return {
    status: head?.status ?? null,
    content_type: head?.contentType ?? null,
    max_tokens: head?.maxTokens ?? null,
    is_running: isRunning ? (1 as const) : (0 as const),
    updated_at_ms: updatedAtMs,
  };
}

function formatAnswerId({ conversationId, answerId }: KeptAnswerName): string {
  return `${conversationId}/${answerId}`;
}

/** Authenticates the stored parts: with another text they could not be read. */
function describeSealedText(name: KeptAnswerName, number: number): string {
  return `conversation answer ${formatAnswerId(name)} ${number}`;
}
